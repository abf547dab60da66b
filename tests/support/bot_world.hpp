// The world around one caller of bots, for its tests: keeps what it is told and asked, answers its
// calls, and has it registered, let in and seated. One thread.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateways/jsonrpc/caller.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::gateways::bots {

inline bot_identity ann() { return {"Ann", "secret", "tictactoe", "TicTacToe"}; }

inline const call_outcome well = answered{200, false, "whatever"};
inline call_outcome says(std::string body) { return answered{200, false, std::move(body)}; }
inline call_outcome plays(int position) {
  return says(R"({"result":{"position":)" + std::to_string(position) + "}}");
}
inline const call_outcome unreachable = unanswered{false, "Nobody listens there."};
inline const call_outcome too_late = unanswered{true, "You took too long."};

struct bot_world {
  std::uint64_t traces = 0;
  caller bot{ann(), {2, std::chrono::seconds{5}}, [this] { return trace_id{++traces}; }};
  instant now{std::chrono::hours{1}};
  session_output out;
  std::optional<call> calling;
  std::vector<session_output::order> orders;
  std::vector<bot_report> told;
  bool inside = false;

  void take() {
    if (out.release) inside = false;
    if (out.enter) inside = true;
    if (out.to_call) {
      REQUIRE_FALSE(calling);
      calling = out.to_call;
    }
    for (auto& each : out.orders) {
      REQUIRE(inside);
      orders.push_back(std::move(each));
    }
    for (auto& each : out.told) told.push_back(std::move(each));
    out = {};
  }

  void registers(bot_identity who = ann()) { bot.registered(std::move(who), now, out), take(); }
  void hears(event e) { bot.hear(e, now, out), take(); }
  void answers(const call_outcome& what) {
    REQUIRE(calling);
    calling.reset();
    bot.called(what, now, out), take();
  }
  void passes(duration time) {
    now += time;
    if (bot.next() <= now) bot.advance(now, out), take();
  }

  template <class T>
  const T* last_report() const {
    for (auto at = told.rbegin(); at != told.rend(); ++at)
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
  void goes_online() {
    registers();
    answers(well);
    hears({answering(last_ticket()), {}, signed_in{"Ann", "secret"}});
    hears({answering(last_ticket()), {}, placed{"tictactoe", "XO", std::nullopt}});
    REQUIRE(bot.online());
    REQUIRE_FALSE(calling);
    told.clear();
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
    hears({{}, {id}, started{"tictactoe", "XO", {"a", "b"}, seat}});
    hears({{}, {id}, board("---------", only(0))});
  }
  void game_ends(std::uint64_t id, outcome how, std::string cells = "XXXOO----") {
    hears({{}, {id}, board(std::move(cells), 0, std::move(how))});
  }
  bool calls(call::method what) const { return calling && calling->what == what; }
};

inline outcome won_by(seat_index who, end_reason why = end_reason::rules) {
  outcome o;
  o.reason = why;
  o.winner = who;
  return o;
}

}  // namespace gamehub::gateways::jsonrpc
