#include "tools/bot/check.hpp"

#include "gateways/bots/address_policy.hpp"
#include "gateways/bots/bots.hpp"
#include "gateways/bots/call_bytes.hpp"
#include "gateways/bots/call_errors.hpp"
#include "gateways/bots/messages.hpp"
#include "gateways/bots/move_answer.hpp"
#include "gateways/bots/names.hpp"
#include "gateways/bots/resolver.hpp"
#include "gateways/bots/url.hpp"
#include "gateways/http_client/call.hpp"
#include "gateways/net/address.hpp"
#include "hub/base/address.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/option.hpp"
#include "hub/plugins/engine_traits.hpp"
#include "tools/bot/boards.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <variant>

namespace gamehub::tools::bot {

namespace asio = boost::asio;
namespace http_client = gateways::http_client;
namespace rpc = gateways::bots;
using std::chrono::steady_clock;

namespace {

constexpr std::uint64_t seed = 1;
constexpr game_id game{1};
constexpr trace_id trace{1};

constexpr std::chrono::milliseconds ping_pause{100};

// Further errors would repeat these.
constexpr int moves_wrong_max = 3;

// Users check their own bots, so every address is allowed.
rpc::address_policy anywhere() {
  return rpc::address_policy{{*base::read_network("0.0.0.0/0"), *base::read_network("::/0")}};
}

class inspection {
 public:
  inspection(const check_request& request, const engines::host::engine& rules, engine_traits traits,
             bool board_calls, std::ostream& out)
      : request_(request),
        rules_(rules),
        traits_(std::move(traits)),
        board_calls_(board_calls),
        out_(out),
        prefix_(rpc::method_prefix(traits_)) {}

  bool run() {
    if (!find_endpoint()) return conclude();
    note_address();
    // Without an answer to the ping, further calls are useless.
    if (!check_ping(first_ping())) return conclude();
    check_moves();
    check_notifications();
    if (closed_ > 0)
      report("note", "",
             "You closed the connection " + std::to_string(closed_) +
                 " times, so that --bot-keep-alive gains little.");
    return conclude();
  }

 private:
  struct called {
    rpc::call_outcome what;
    std::chrono::milliseconds took{};
  };

  bool find_endpoint() {
    auto url = rpc::read_url(request_.url);
    if (const auto* wrong = std::get_if<std::string>(&url))
      return report_error("URL", *wrong + ".");
    asio::io_context io;
    std::optional<rpc::resolver::result> found;
    rpc::resolver addresses{anywhere()};
    addresses.find(std::get<rpc::bot_url>(std::move(url)), "", io,
                   [&](rpc::resolver::result what) { found = std::move(what); });
    // The resolver uses a separate thread; its timer keeps the io_context busy.
    while (!found) io.run_one();
    if (const auto* wrong = std::get_if<std::string>(&*found))
      return report_error("URL", *wrong + ".");
    endpoint_ = std::get<std::shared_ptr<const rpc::bot_endpoint>>(*found);
    return true;
  }

  void note_address() {
    const rpc::address_policy usual;
    for (const auto& each : endpoint_->addresses)
      if (const auto why = usual.why_not(gateways::net::endpoint_of(each.address())))
        report("note", "URL",
               each.address().to_string() + " is " + std::string{*why} +
                   ": a hub calls it only if its operator allows that with --bot-allow.");
  }

  called call(const std::string& body) {
    ++next_;
    std::optional<rpc::call_outcome> outcome;
    const auto began = steady_clock::now();
    rpc::call_content content{body, trace, {next_}, request_.keep_alive};
    if (!request_.signing_secret.empty())
      content.signature = rpc::signature_of(request_.signing_secret, base::wall_now(), body);
    const auto made = std::make_shared<http_client::call>(
        http_client::call::context{&io_, http_client::tls_context()}, endpoint_, rpc::answer_limits,
        rpc::call_bytes(endpoint_->url, content),
        [&](rpc::call_outcome what) { outcome = std::move(what); });
    made->start(began + request_.call_time, std::move(connection_));
    io_.restart();
    io_.run();
    if (request_.keep_alive) connection_ = made->take_connection();
    if (request_.keep_alive && !connection_ &&
        std::holds_alternative<http_client::response>(*outcome))
      ++closed_;
    return {*std::move(outcome),
            std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - began)};
  }

  // Retries for a while, as a hub does: the bot may have just been started.
  called first_ping() {
    const auto until = steady_clock::now() + request_.call_time;
    for (;;) {
      auto ping = call(rpc::ping_call(next_));
      const auto* none = std::get_if<http_client::failure>(&ping.what);
      if (none == nullptr || none->what == http_client::call_error::timeout || none->connected ||
          steady_clock::now() + ping_pause >= until)
        return ping;
      std::this_thread::sleep_for(ping_pause);
    }
  }

  bool check_ping(const called& ping) {
    if (const auto* none = std::get_if<http_client::failure>(&ping.what))
      return report_error("Status.Ping", rpc::sentence_of(*none) +
                                             " Is the bot running, and does it listen there?");
    const auto* got = std::get_if<http_client::response>(&ping.what);
    if (got->status != 200)
      return report_error("Status.Ping", "You answered with the HTTP status " +
                                             std::to_string(got->status) +
                                             ": only 200 is accepted.");
    report("ok", "Status.Ping", in_time(ping.took));
    return true;
  }

  void check_moves() {
    for (const auto& board : boards_of(rules_, seed, traits_.players)) {
      if (errors_ == moves_wrong_max) return report("note", "", "The other boards are skipped.");
      const auto shown = "as " + mark_of(board) + " on " + state_of(board);
      const auto outcome = call(next_move_on(board));
      const auto method = prefix_ + ".NextMove";
      const auto where = " Asked " + shown + ".";
      if (const auto wrong = rpc::error_of(outcome.what)) {
        report_error(method, wrong->text + where);
        // One timeout is enough.
        if (wrong->code == bot_error_code::timeout) return;
        continue;
      }
      const auto read = read_move(std::get<http_client::response>(outcome.what).body);
      if (const auto* bad = std::get_if<bot_error>(&read)) {
        report_error(method, bad->text + where);
        continue;
      }
      const auto& played = std::get<gamehub::move>(read);
      const auto named = played.as == move::form::cell ? "position " + std::to_string(played.cell)
                                                       : "move " + rpc::quoted(played.text);
      if (const auto why = why_no_move(board, played); !why.empty())
        report_error(method, why + where);
      else
        report("ok", method, shown + ": " + named + ", " + in_time(outcome.took));
    }
  }

  std::string mark_of(const asked_board& board) const {
    return rpc::marks_of(traits_.marks, static_cast<std::size_t>(traits_.players))
        .at(static_cast<std::size_t>(board.seat));
  }
  static std::string state_of(const asked_board& board) {
    return board.cells.empty() ? rpc::quoted(board.document) : board.cells;
  }

  // As a hub describes a table: the others have the names of a test.
  rpc::table_view table_of(const asked_board& board) const {
    rpc::table_view out{game, board.seat};
    out.marks = rpc::marks_of(traits_.marks, static_cast<std::size_t>(traits_.players));
    for (int seat = 0; seat < traits_.players; ++seat)
      out.players.push_back(seat == board.seat ? "You" : "Player " + std::to_string(seat + 1));
    out.cells = board.cells;
    out.document = board.document;
    out.options = options_;
    out.hidden = !traits_.perfect_information;
    out.simultaneous = traits_.simultaneous;
    return out;
  }

  std::string next_move_on(const asked_board& board) const {
    if (board_calls_)
      return rpc::next_move_call(
          prefix_,
          rpc::board_view{game, traits_.marks[static_cast<std::size_t>(board.seat)], board.cells,
                          request_.opponent},
          next_);
    auto table = table_of(board);
    table.actions = actions_of(board);
    return rpc::next_move_call(prefix_, table, next_);
  }

  std::variant<gamehub::move, bot_error> read_move(const std::string& body) const {
    return board_calls_ ? rpc::read_board_move(body) : rpc::read_table_move(body);
  }

  // The first seat has won; of three or more the last one left.
  std::string complete_on(const asked_board& board) const {
    if (board_calls_)
      return rpc::complete_call(prefix_, rpc::board_view{game, traits_.marks[0], board.cells}, true,
                                next_);
    outcome how;
    how.winner = 0;
    how.scores.assign(static_cast<std::size_t>(traits_.players), 0.0);
    how.scores.front() = 1.0;
    how.scores.back() = -1.0;
    if (traits_.players > 2) how.forfeits = only(traits_.players - 1);
    return rpc::complete_call(prefix_, table_of(board), how, next_);
  }

  // The hub ignores replies to these calls, so a missing one is no error.
  void check_notifications() {
    const auto boards = boards_of(rules_, seed, traits_.players);
    note_reply(prefix_ + ".Complete", call(complete_on(boards.back())));
    note_reply(
        prefix_ + ".Error",
        call(rpc::error_call(
            prefix_, {bot_error_code::occupied, "This is a test: you did nothing wrong.", game},
            next_)));
  }

  void note_reply(const std::string& method, const called& outcome) {
    if (const auto wrong = rpc::error_of(outcome.what))
      return report("note", method, wrong->text + " The hub does not need this reply.");
    report("ok", method, in_time(outcome.took));
  }

  static std::string in_time(std::chrono::milliseconds t) {
    return std::to_string(t.count()) + " ms";
  }

  bool report_error(const std::string& what, const std::string& text) {
    ++errors_;
    report("wrong", what, text);
    return false;
  }

  void report(const char* how, const std::string& what, const std::string& text) {
    constexpr std::size_t how_columns = 7, what_columns = 22;
    std::string line = how;
    line.resize(how_columns, ' ');
    line += what;
    if (what.size() < what_columns) line.resize(how_columns + what_columns, ' ');
    out_ << line << ' ' << text << '\n';
  }

  bool conclude() {
    if (errors_ == 0)
      out_ << "The bot plays " << traits_.title << " correctly: let it register as "
           << rpc::game_name(traits_) << ".\n";
    else
      out_ << (errors_ == 1 ? "One thing is wrong.\n"
                            : std::to_string(errors_) + " things are wrong.\n");
    return errors_ == 0;
  }

  const check_request& request_;
  const engines::host::engine rules_;
  const engine_traits traits_;  // of games for the players of the request
  const bool board_calls_;      // calls have a board only
  std::ostream& out_;
  const std::string prefix_;
  // As a hub has them: empty if they are the defaults.
  const std::string options_ = traits_.players == rules_.players_min()
                                   ? std::string{}
                                   : R"({"players":)" + std::to_string(traits_.players) + "}";
  std::shared_ptr<const rpc::bot_endpoint> endpoint_;
  asio::io_context io_;
  std::unique_ptr<http_client::connection> connection_;
  int closed_ = 0;
  std::uint64_t next_ = 1;
  int errors_ = 0;
};

}  // namespace

bool check(const check_request& request, const engines::host::registry& all, std::ostream& out) {
  const auto rules = all.find(request.engine);
  if (!rules)
    throw base::usage_error{"--engine: there is no engine " + config::shown(request.engine) +
                            "; gamehub engines lists them"};
  auto traits = plugins::traits_of(*rules);
  if (const auto why = rpc::describe().unsupported_reason(traits))
    throw base::usage_error{"--engine: " + request.engine + " can't be played by bots: it " + *why};
  // A bot does not play alone.
  const auto least = std::max(2, traits.players);
  const auto players = request.players == 0 ? least : request.players;
  if (players < least || players > traits.players_max)
    throw base::usage_error{"--players: " + request.engine + " is for " + std::to_string(least) +
                            " to " + std::to_string(traits.players_max) + " players"};
  const bool board_calls = players == 2 && rpc::has_board_calls(traits);
  traits.players = players;
  traits.marks.clear();
  for (int seat = 0; rules->has_cells() && seat < players; ++seat)
    traits.marks.push_back(rules->mark(seat));
  return inspection{request, *rules, std::move(traits), board_calls, out}.run();
}

}  // namespace gamehub::tools::bot
