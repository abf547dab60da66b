#include "tests/system/hub.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <sstream>
#include <stdexcept>

namespace gamehub::tests::system {

namespace {

invocation serving(const std::string& program, std::vector<std::string> flags,
                   std::map<std::string, std::string> variables) {
  invocation out;
  // Many hubs run at once: those whose journal shall outlive them say where it is.
  out.words = {program,      "serve", "--turns-port",    "0", "--opcodes-port", "0",
               "--udp-port", "0",     "--http-port",     "0", "--admin-port",   "0",
               "--loops",    "2",     "--drain-seconds", "0"};
  if (std::find(flags.begin(), flags.end(), "--cluster") == flags.end())
    out.words.insert(out.words.end(), {"--journal", "memory"});
  out.words.insert(out.words.end(), flags.begin(), flags.end());
  out.variables = std::move(variables);
  return out;
}

std::uint16_t port_in(const std::string& ready, const std::string& wire) {
  std::istringstream words{ready};
  for (std::string word; words >> word;)
    if (word.starts_with(wire + "="))
      return static_cast<std::uint16_t>(std::stoul(word.substr(wire.size() + 1)));
  return 0;
}

// Those that end with their connections. A player of requests stays for a while, and a bot until
// the hub goes.
double connected_sessions(const scrape& now) {
  auto out = now.sum("gamehub_sessions");
  for (const auto* wire : {"http", "jsonrpc"})
    out -= now.sum("gamehub_sessions", {{"gateway", wire}});
  return out;
}

std::string shown(std::string_view name, const std::vector<scrape::label>& labels) {
  std::string out{name};
  for (const auto& [label, value] : labels)
    out += " " + std::string{label} + "=" + std::string{value};
  return out;
}

}  // namespace

hub::hub(std::vector<std::string> flags, std::map<std::string, std::string> variables,
         const std::string& program)
    : process_(serving(program, std::move(flags), std::move(variables))),
      // It may have many plugins to try first.
      ready_(process_.read_line(3 * patience)),
      http_(port_in(ready_, "admin")),
      exceptions_(std::uncaught_exceptions()) {
  if (!ready_.starts_with("ready"))
    throw std::runtime_error{"the hub does not get ready:\n" + ready_ + process_.errors()};
}

hub::~hub() noexcept(false) {
  try {
    if (std::uncaught_exceptions() > exceptions_)
      WARN("the hub's log:\n" << process_.errors());
    else if (!ended_)
      check_end();
  } catch (const std::exception& e) {
    FAIL_CHECK("the hub can't be asked at the end: " << e.what());
  }
}

void hub::check_end() {
  if (admin() != 0) {
    scrape last{""};
    const auto is_still = [&] {
      last = metrics();
      return last.sum("gamehub_connections") == 0 && connected_sessions(last) == 0 &&
             last.sum("gamehub_games_running") == 0 && last.sum("gamehub_players_waiting") == 0;
    };
    try {
      await("comes to rest when all clients are gone", is_still);
    } catch (const std::exception& e) {
      FAIL_CHECK(e.what() << ":\n" << last.text());
    }
    // A game that woke may have started in an earlier process.
    if (last.sum("gamehub_wakes_total") == 0)
      CHECK(last.sum("gamehub_games_started_total") == last.sum("gamehub_games_finished_total"));
    CHECK(last.sum("gamehub_games_failed_total") == 0);
    CHECK(last.sum("gamehub_sessions_failed_total") == 0);
    CHECK(last.sum("gamehub_connections_closed_total", {{"reason", "failed"}}) == 0);
    CHECK(last.sum("gamehub_connections_opened_total") ==
          last.sum("gamehub_connections_closed_total"));
  }
  process_.signal(SIGTERM);
  const auto code = process_.wait();
  if (code != 0) FAIL_CHECK("exit code " << code << ", the hub's log:\n" << process_.errors());
}

int hub::wait() {
  ended_ = true;
  return process_.wait();
}

std::uint16_t hub::port(const std::string& wire) const { return port_in(ready_, wire); }

void hub::await(const std::string& what, const std::function<bool()>& is_so) {
  const deadline until;
  while (!is_so())
    if (until.over()) throw std::runtime_error{"the hub never " + what};
}

void hub::await_count(std::string_view name, const std::vector<scrape::label>& labels,
                      double wanted, std::chrono::milliseconds time) {
  double last = 0;
  const deadline until{time};
  while ((last = count(name, labels)) != wanted)
    if (until.over()) {
      std::ostringstream out;
      out << shown(name, labels) << " never gets to be " << wanted << ": it is " << last;
      throw std::runtime_error{out.str()};
    }
}

void hub::await_waiting(std::string_view engine, int players) {
  await_count("gamehub_players_waiting", {{"engine", engine}}, players);
  // Until other hubs have answered, a player may move to one of them.
  await("has its answers", [&] { return count("gamehub_relay_questions") == 0; });
}

}  // namespace gamehub::tests::system
