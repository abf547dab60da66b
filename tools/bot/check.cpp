#include "hub/app/bots/check.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "gateways/http/address.hpp"
#include "gateways/jsonrpc/address_policy.hpp"
#include "gateways/jsonrpc/call_bytes.hpp"
#include "gateways/jsonrpc/caller.hpp"
#include "gateways/jsonrpc/jsonrpc.hpp"
#include "gateways/jsonrpc/messages.hpp"
#include "gateways/jsonrpc/move_answer.hpp"
#include "gateways/jsonrpc/names.hpp"
#include "gateways/jsonrpc/server/address_finder.hpp"
#include "gateways/jsonrpc/server/http_call.hpp"
#include "gateways/jsonrpc/url.hpp"
#include "hub/app/bots/boards.hpp"
#include "hub/app/setting_sources.hpp"
#include "hub/app/traits.hpp"

namespace gamehub::app::bots {

namespace asio = boost::asio;
namespace rpc = gateways::bots;
using std::chrono::steady_clock;

namespace {

constexpr std::uint64_t seed = 1;
constexpr game_id game{1};
constexpr trace_id trace{1};

constexpr std::chrono::milliseconds ping_pause{100};

// More of them would say the same.
constexpr int moves_wrong_max = 3;

// Whoever checks a bot of its own may call it wherever it is.
rpc::address_policy anywhere() {
  return rpc::address_policy{
      {*gateways::http::read_network("0.0.0.0/0"), *gateways::http::read_network("::/0")}};
}

gateways::endpoint endpoint_of(const asio::ip::address& a) {
  return *gateways::http::read_address(a.to_string());
}

class inspection {
 public:
  inspection(const check_request& asked, const engines::engine& rules, std::ostream& out)
      : asked_(asked),
        rules_(rules),
        traits_(traits_of(rules)),
        out_(out),
        prefix_(rpc::method_prefix(traits_)) {}

  bool run() {
    if (!find_place()) return conclude();
    note_address();
    // A bot that can't be reached at all is not asked for more.
    if (!check_ping(first_ping())) return conclude();
    check_moves();
    check_last_words();
    if (closed_ > 0)
      say("note", "",
          "You closed the connection " + std::to_string(closed_) +
              " times, so that --bot-keep-alive gains little.");
    return conclude();
  }

 private:
  struct called {
    rpc::call_outcome what;
    std::chrono::milliseconds took{};
  };

  bool find_place() {
    auto url = rpc::read_url(asked_.url);
    if (const auto* wrong = std::get_if<std::string>(&url)) return report_error("URL", *wrong + ".");
    asio::io_context io;
    std::optional<rpc::server::resolver::found> found;
    rpc::server::resolver addresses{anywhere()};
    addresses.find(std::get<rpc::bot_url>(std::move(url)), io,
                   [&](rpc::server::resolver::found what) { found = std::move(what); });
    // What asks for names waits on a thread of its own; its clock keeps this one going.
    while (!found) io.run_one();
    if (const auto* wrong = std::get_if<std::string>(&*found))
      return report_error("URL", *wrong + ".");
    place_ = std::get<std::shared_ptr<const rpc::server::place>>(*found);
    return true;
  }

  void note_address() {
    const rpc::address_policy usual;
    for (const auto& each : place_->addresses)
      if (const auto why = usual.why_not(endpoint_of(each.address())))
        say("note", "URL",
            each.address().to_string() + " is " + std::string{*why} +
                ": a hub calls it only if its operator allows that with --bot-allow.");
  }

  called call(const std::string& body) {
    ++next_;
    std::optional<rpc::call_outcome> came;
    const auto began = steady_clock::now();
    const auto made = std::make_shared<rpc::server::http_call>(
        rpc::server::http_call::means{&io_, tls_}, place_,
        rpc::call_bytes(place_->url, {body, trace, {next_}, asked_.keep_alive}),
        [&](rpc::call_outcome what) { came = std::move(what); });
    made->start(began + asked_.call_time, std::move(kept_));
    io_.restart();
    io_.run();
    if (asked_.keep_alive) kept_ = made->take_connection();
    if (asked_.keep_alive && !kept_ && std::holds_alternative<rpc::answered>(*came)) ++closed_;
    return {*std::move(came),
            std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - began)};
  }

  // A hub tries for a while, too: some bots have only just been started.
  called first_ping() {
    const auto until = steady_clock::now() + asked_.call_time;
    for (;;) {
      auto ping = call(rpc::ping_call(next_));
      const auto* none = std::get_if<rpc::unanswered>(&ping.what);
      if (none == nullptr || none->too_late || none->connected ||
          steady_clock::now() + ping_pause >= until)
        return ping;
      std::this_thread::sleep_for(ping_pause);
    }
  }

  bool check_ping(const called& ping) {
    const auto* got = std::get_if<rpc::answered>(&ping.what);
    if (got == nullptr)
      return report_error("Status.Ping", std::get<rpc::unanswered>(ping.what).why +
                                          " Is the bot running, and does it listen there?");
    if (got->status != 200)
      return report_error("Status.Ping", "You answered with the HTTP status " +
                                          std::to_string(got->status) +
                                          ": only 200 says that you are there.");
    say("ok", "Status.Ping", in_time(ping.took));
    return true;
  }

  void check_moves() {
    for (const auto& board : boards_of(rules_, seed)) {
      if (wrong_ == moves_wrong_max) return say("note", "", "The other boards are not asked for.");
      const auto mark = traits_.marks[static_cast<std::size_t>(board.seat)];
      const auto came =
          call(rpc::next_move_call(prefix_, {game, mark, board.cells, asked_.opponent}, next_));
      const auto method = prefix_ + ".NextMove";
      const auto where = " Asked as " + std::string{mark} + " on " + board.cells + ".";
      if (const auto wrong = rpc::wrong_with(came.what)) {
        report_error(method, wrong->text + where);
        // Once is enough to wait for.
        if (wrong->code == rpc::bot_fault_code::timeout) return;
        continue;
      }
      const auto read = rpc::read_position(std::get<rpc::answered>(came.what).body);
      if (const auto* bad = std::get_if<rpc::bot_error>(&read)) {
        report_error(method, bad->text + where);
        continue;
      }
      const auto cell = std::get<std::int64_t>(read);
      if (const auto why = why_no_move(board, cell); !why.empty())
        report_error(method, why + where);
      else
        say("ok", method,
            "as " + std::string{mark} + " on " + board.cells + ": position " +
                std::to_string(cell) + ", " + in_time(came.took));
    }
  }

  // Replies to these are never required, so that nothing is wrong with a bot that has none.
  void check_last_words() {
    const auto boards = boards_of(rules_, seed);
    const auto& cells = boards.back().cells;
    note_reply(prefix_ + ".Complete",
               call(rpc::complete_call(prefix_, {game, traits_.marks[0], cells}, true, next_)));
    note_reply(prefix_ + ".Error",
               call(rpc::error_call(prefix_, game, rpc::bot_fault_code::occupied,
                                    "This is a test: you did nothing wrong.", next_)));
  }

  void note_reply(const std::string& method, const called& came) {
    if (const auto wrong = rpc::wrong_with(came.what))
      return say("note", method, wrong->text + " A reply to it is not needed.");
    say("ok", method, in_time(came.took));
  }

  static std::string in_time(std::chrono::milliseconds t) {
    return std::to_string(t.count()) + " ms";
  }

  bool report_error(const std::string& what, const std::string& text) {
    ++wrong_;
    say("wrong", what, text);
    return false;
  }

  void say(const char* how, const std::string& what, const std::string& text) {
    constexpr std::size_t how_columns = 7, what_columns = 22;
    std::string line = how;
    line.resize(how_columns, ' ');
    line += what;
    if (what.size() < what_columns) line.resize(how_columns + what_columns, ' ');
    out_ << line << ' ' << text << '\n';
  }

  bool conclude() {
    if (wrong_ == 0)
      out_ << "It plays " << traits_.title << " by the protocol: let it register as "
           << rpc::game_name(traits_) << ".\n";
    else
      out_ << (wrong_ == 1 ? "One thing is wrong.\n"
                           : std::to_string(wrong_) + " things are wrong.\n");
    return wrong_ == 0;
  }

  const check_request& asked_;
  const engines::engine rules_;
  const engine_traits traits_;
  std::ostream& out_;
  const std::string prefix_;
  const std::shared_ptr<asio::ssl::context> tls_ = rpc::server::make_tls_context();
  std::shared_ptr<const rpc::server::place> place_;
  asio::io_context io_;
  std::unique_ptr<rpc::server::bot_connection> kept_;
  int closed_ = 0;
  std::uint64_t next_ = 1;
  int wrong_ = 0;
};

}  // namespace

bool check(const check_request& asked, const engines::registry& all, std::ostream& out) {
  const auto rules = all.find(asked.engine);
  if (!rules)
    throw usage_error{"--engine: there is no engine " + shown(asked.engine) +
                           "; gamehub engines lists them"};
  if (const auto why = rpc::describe().unsupported_reason(traits_of(*rules)))
    throw usage_error{"--engine: " + asked.engine + " can't be played by bots: it " + *why};
  return inspection{asked, *rules, out}.run();
}

}  // namespace gamehub::app::bots
