// The world around one caller of bots, for its tests: keeps what it is reports and asked, answers
// its calls, and has it registered, let in and seated. One thread.
#pragma once

#include "gateways/bots/bot_session.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::gateways::bots {

inline bot_record ann() {
  bot_record out;
  out.name = "Ann";
  out.secret = "secret";
  out.engine = "tictactoe";
  return out;
}

inline const bots::call_outcome well = http_client::response{200, false, "whatever"};
inline bots::call_outcome replies(std::string body) {
  return http_client::response{200, false, std::move(body)};
}
inline bots::call_outcome plays(int position) {
  return replies(R"({"result":{"position":)" + std::to_string(position) + "}}");
}
inline const bots::call_outcome unreachable =
    http_client::failure{http_client::call_error::unreachable, "there"};
inline const bots::call_outcome too_late =
    http_client::failure{http_client::call_error::timeout, "5 seconds", true};

struct bot_world {
  std::uint64_t traces = 0;
  bots::bot_session bot{{2, std::chrono::seconds{5}}, [this] { return trace_id{++traces}; }};
  base::instant now{std::chrono::hours{1}};
  std::optional<bots::call> calling;
  std::vector<bots::session_output::command> orders;
  std::vector<bots::bot_report> reports;
  bool inside = false;

  void take(bots::session_output out) {
    if (out.release) inside = false;
    if (out.enter) inside = true;
    if (out.to_call) {
      REQUIRE_FALSE(calling);
      calling = out.to_call;
    }
    for (auto& each : out.commands) {
      REQUIRE(inside);
      orders.push_back(std::move(each));
    }
    for (auto& each : out.reports) reports.push_back(std::move(each));
  }

  void registers(bot_record who = ann(), bots::call_options how = {"TicTacToe"}) {
    take(bot.registered(std::move(who), std::move(how), now));
  }
  void receives(event e) { take(bot.on_event(e, now)); }
  void answers(const bots::call_outcome& what) {
    REQUIRE(calling);
    calling.reset();
    take(bot.on_call_result(what, now));
  }
  void passes(base::duration time) {
    now += time;
    if (bot.next() <= now) take(bot.advance(now));
  }

  template <class T>
  const T* last_report() const {
    for (auto at = reports.rbegin(); at != reports.rend(); ++at)
      if (const auto* found = std::get_if<T>(&*at)) return found;
    return nullptr;
  }
  template <class T>
  int count_orders() const {
    int n = 0;
    for (const auto& each : orders) n += std::holds_alternative<T>(each.what);
    return n;
  }
  template <class T>
  const T& last_order() const {
    for (auto at = orders.rbegin(); at != orders.rend(); ++at)
      if (const auto* found = std::get_if<T>(&at->what)) return *found;
    FAIL("no such order");
    std::abort();
  }
  ticket last_ticket() const { return orders.back().number; }
  // As the hub answers: with all that the order had.
  receipt answering(ticket number) const {
    receipt r;
    r.ticket = number;
    for (const auto& each : orders)
      if (each.number == number) r.trace = each.trace;
    return r;
  }

  // Registered, called and let in.
  void goes_online(bots::call_options how = {"TicTacToe"}) {
    registers(ann(), std::move(how));
    answers(well);
    receives({answering(last_ticket()), {}, signed_in{"Ann", "secret"}});
    receives({answering(last_ticket()), {}, placed{"tictactoe", "XO", std::nullopt}});
    REQUIRE(bot.online());
    REQUIRE_FALSE(calling);
    reports.clear();
  }
  static position_ref board(std::string cells, seat_set prompted,
                            std::optional<outcome> end = std::nullopt) {
    auto p = std::make_shared<position>();
    p->cells = std::move(cells);
    p->to_move = p->prompted = prompted;
    p->outcome = std::move(end);
    return p;
  }
  void game_begins(std::uint64_t id, seat_index seat = 0) {
    receives({{}, {id}, started{"tictactoe", "XO", {"a", "b"}, seat}});
    receives({{}, {id}, board("---------", only(0))});
  }
  void game_ends(std::uint64_t id, outcome how, std::string cells = "XXXOO----") {
    receives({{}, {id}, board(std::move(cells), 0, std::move(how))});
  }
  bool calls(bots::call::method what) const { return calling && calling->what == what; }
};

inline outcome won_by(seat_index who, end_reason why = end_reason::rules) {
  outcome o;
  o.reason = why;
  o.winner = who;
  return o;
}

}  // namespace gamehub::gateways::bots
