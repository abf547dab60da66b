#include "hub/far/front_seat.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <variant>

using namespace gamehub;
using namespace gamehub::far;
using namespace std::chrono_literals;

namespace {

constexpr member_id host{1}, adopter{2};
constexpr place at{{50}, 1};

receipt intent_of(ticket number, attachment_id from = {9}) {
  return {from, {number}, base::instant{number * 1s}, number};
}

play move_to(std::int64_t cell) { return {at.game, {gamehub::move::form::cell, cell, ""}}; }

event shown(std::uint64_t number, receipt answers = {}) {
  auto p = std::make_shared<position>();
  p->number = number;
  return {answers, at.game, position_ref{p}};
}

// A seat with what it sent and delivered. `game` tells it events, as the host does.
struct front {
  front_seat seat{seated{at, {7}, "tictactoe", "1", false, view_form::cells, {}}, host};
  front_seat::output out;

  explicit front(std::uint64_t first_position = 3) {
    seat.on_told({{}, at.game, started{}}, out);
    if (first_position != 0) seat.on_told(shown(first_position), out);
    clear();
  }
  void clear() { out = {}; }
  template <class Message>
  const Message* sent(std::size_t i = 0) const {
    return i < out.send.size() ? std::get_if<Message>(&out.send[i]) : nullptr;
  }
  std::uint64_t delivered(std::size_t i = 0) const {
    if (i >= out.deliver.size()) return 0;
    const auto* p = std::get_if<position_ref>(&out.deliver[i].what);
    return p == nullptr ? 0 : (*p)->number;
  }
  ticket answered(std::size_t i = 0) const {
    return i < out.deliver.size() ? out.deliver[i].answers.ticket : 0;
  }
  // The host dies and the adopter's log has `since`.
  void take(tally since, std::uint64_t last = 10, bool here = true) {
    seat.on_host_lost();
    clear();
    seat.take_at(adopter, out);
    REQUIRE(sent<far::take>());
    const auto attempt = sent<far::take>()->attempt;
    clear();
    CHECK(seat.on_taken({at, attempt, here, last, since}, out) == here);
  }
};

}  // namespace

TEST_CASE("front seat: one intent is under way, and its answer has the receipt of this hub") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.seat.on_request(intent_of(2), chat{at.game, "hi"}, f.out);
  REQUIRE(f.out.send.size() == 1);
  REQUIRE(f.sent<request>());
  CHECK(f.sent<request>()->from.ticket == 1);
  CHECK(f.sent<request>()->from.from == attachment_id{9});
  CHECK(std::get<play>(f.sent<request>()->what).move.cell == 4);
  f.clear();
  f.seat.on_told(shown(4, {{9}, {}, {}, 1, {5, 6, 7}}), f.out);
  CHECK(f.answered() == 1);
  CHECK(f.out.deliver[0].answers.received == base::instant{1s});
  CHECK(f.out.deliver[0].answers.stages.committed == 7);
  REQUIRE(f.sent<request>());
  CHECK(f.sent<request>()->from.ticket == 2);
  f.clear();
  f.seat.on_told({{{9}, {}, {}, 2}, at.game, done{}}, f.out);
  CHECK(f.answered() == 2);
  CHECK(f.out.send.empty());
  CHECK_FALSE(f.seat.is_urgent());
}

TEST_CASE("front seat: intents wait until the game is shown") {
  front f{0};
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  CHECK(f.out.send.empty());
  f.seat.on_told(shown(3), f.out);
  CHECK(f.sent<request>());
}

TEST_CASE("front seat: an answer to no intent of this front is no answer") {
  front f;
  f.seat.on_told({{{9}, {}, {}, 1}, at.game, done{}}, f.out);
  CHECK(f.out.deliver.empty());
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.seat.on_told(shown(4, {{8}, {}, {}, 1}), f.out);
  CHECK(f.delivered() == 4);
  CHECK(f.answered() == 0);
  CHECK(f.seat.is_urgent());
}

TEST_CASE("front seat: beyond the bound intents are refused") {
  front f;
  for (ticket n = 1; n <= front_seat::intents_max; ++n)
    f.seat.on_request(intent_of(n), move_to(n), f.out);
  CHECK(f.out.deliver.empty());
  f.seat.on_request(intent_of(99), move_to(5), f.out);
  REQUIRE(f.answered() == 99);
  const auto& no = std::get<refused>(f.out.deliver[0].what);
  CHECK(no.why == refusal::rate_limited);
  CHECK(no.what.cell == 5);
}

TEST_CASE("front seat: what the dead host's log has not is said again") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.take({});
  REQUIRE(f.out.send.size() == 2);
  REQUIRE(f.sent<resend>(0));
  CHECK_FALSE(f.sent<resend>(0)->client);
  REQUIRE(f.sent<request>(1));
  CHECK(f.sent<request>(1)->from.ticket == 1);
  CHECK(f.seat.host() == adopter);
}

TEST_CASE("front seat: a move that the log has is answered by the position, and not said again") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.seat.on_request(intent_of(2), move_to(5), f.out);
  f.take({1, 0, 0});
  REQUIRE(f.out.send.size() == 1);
  CHECK(f.sent<resend>());
  CHECK(f.out.deliver.empty());
  f.clear();
  f.seat.on_told({{}, at.game, started{}}, f.out);
  CHECK(f.out.deliver.empty());
  f.seat.on_told(shown(4), f.out);
  CHECK(f.delivered() == 4);
  CHECK(f.answered() == 1);
  REQUIRE(f.sent<request>());
  CHECK(f.sent<request>()->from.ticket == 2);
}

TEST_CASE("front seat: what was answered before the host died is not taken for what was not") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.seat.on_told(shown(4, intent_of(1)), f.out);
  f.seat.on_request(intent_of(2), move_to(5), f.out);
  f.seat.on_told({intent_of(2), at.game, refused{}}, f.out);
  f.seat.on_request(intent_of(3), move_to(6), f.out);
  SECTION("the log has the answered move alone") {
    f.take({1, 0, 0});
    CHECK(f.sent<request>(1));
  }
  SECTION("the log has both") {
    f.take({2, 0, 0});
    CHECK(f.out.send.size() == 1);
  }
  SECTION("a second adopter counts from what the first one had") {
    f.take({1, 0, 0}, 5);
    f.seat.on_host_lost();
    f.clear();
    f.seat.take_at({3}, f.out);
    REQUIRE(f.sent<far::take>());
    CHECK(f.sent<far::take>()->after == 5);
    f.clear();
    f.seat.on_taken({at, 2, true, 6, {1, 0, 0}}, f.out);
    CHECK(f.out.send.size() == 1);
  }
}

TEST_CASE("front seat: a move that was carried out stays so when the adopter dies, too") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.take({1, 0, 0}, 5);
  f.seat.on_host_lost();
  f.clear();
  f.seat.take_at({3}, f.out);
  f.seat.on_taken({at, 2, true, 5, {}}, f.out);
  REQUIRE(f.out.send.size() == 2);
  CHECK(f.sent<resend>(1));
  f.clear();
  f.seat.on_told({{}, at.game, started{}}, f.out);
  f.seat.on_told(shown(5), f.out);
  CHECK(f.answered() == 1);
}

TEST_CASE("front seat: messages and offers that the log has are done, others are said again") {
  const game_intent what =
      GENERATE(game_intent{chat{at.game, "hi"}}, game_intent{offer{at.game, offer_kind::draw}});
  const bool chats = std::holds_alternative<chat>(what);
  front f;
  f.seat.on_request(intent_of(1), what, f.out);
  SECTION("in the log") {
    f.take(chats ? tally{0, 1, 0} : tally{0, 0, 1});
    REQUIRE(f.answered() == 1);
    CHECK(std::holds_alternative<done>(f.out.deliver[0].what));
    CHECK(f.out.send.size() == 1);
    CHECK_FALSE(f.seat.is_urgent());
  }
  SECTION("not in the log") {
    f.take({1, chats ? 0u : 1u, chats ? 1u : 0u});
    CHECK(f.out.deliver.empty());
    CHECK(f.sent<request>(1));
  }
}

TEST_CASE("front seat: leaving and claiming have no second effect, and are said again") {
  const game_intent what = GENERATE(game_intent{leave{at.game}}, game_intent{claim{at.game}});
  front f;
  f.seat.on_request(intent_of(1), what, f.out);
  f.take({5, 5, 5});
  CHECK(f.sent<request>(1));
}

TEST_CASE("front seat: the client sees of a new host only a position that it has not seen") {
  front f{3};
  const auto number = GENERATE(3u, 4u);
  f.take({});
  f.seat.on_told({{}, at.game, started{}}, f.out);
  f.seat.on_told(shown(number), f.out);
  CHECK(f.delivered() == (number == 3 ? 0u : 4u));
  f.clear();
  f.seat.on_told(shown(number), f.out);
  CHECK(f.delivered() == number);
}

TEST_CASE("front seat: a client that comes back while the host is gone is shown the game") {
  front f;
  f.seat.on_host_lost();
  f.seat.on_resend(view_form::document, {true}, {20}, f.out);
  CHECK(f.out.send.empty());
  f.take({});
  REQUIRE(f.sent<resend>());
  CHECK(f.sent<resend>()->client == attachment_id{20});
  CHECK(f.sent<resend>()->form == view_form::document);
  CHECK(f.sent<resend>()->features.wants_actions);
  f.clear();
  f.seat.on_told({{{20}, {}}, at.game, started{}}, f.out);
  f.seat.on_told(shown(3), f.out);
  REQUIRE(f.out.deliver.size() == 2);
  CHECK(std::holds_alternative<started>(f.out.deliver[0].what));
  CHECK(f.delivered(1) == 3);
}

TEST_CASE("front seat: events of a host that was left, and old answers to a take, do nothing") {
  front f;
  f.seat.on_host_lost();
  f.seat.on_told(shown(9), f.out);
  CHECK(f.out.deliver.empty());
  f.seat.take_at(adopter, f.out);
  f.seat.take_at({3}, f.out);
  f.clear();
  CHECK(f.seat.on_taken({at, 1, true, 9, {}}, f.out));
  CHECK(f.out.send.empty());
  CHECK(f.seat.on_taken({at, 2, true, 9, {}}, f.out));
  CHECK(f.sent<resend>());
}

TEST_CASE("front seat: a hub that has not the game yet is asked again") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.take({}, 0, false);
  CHECK(f.out.send.empty());
  CHECK_FALSE(f.seat.is_connected());
  f.take({});
  CHECK(f.sent<request>(1));
}

TEST_CASE("front seat: a name and an absence that the host has not heard of cross with the next") {
  front f;
  f.seat.on_host_lost();
  f.seat.on_rename("new", f.out);
  f.seat.on_presence(base::instant{9s}, f.out);
  CHECK(f.out.send.empty());
  f.seat.take_at(adopter, f.out);
  REQUIRE(f.sent<far::take>());
  CHECK(f.sent<far::take>()->name == "new");
  CHECK(f.sent<far::take>()->player == player_id{7});
  CHECK(f.sent<far::take>()->after == 3);
  f.clear();
  f.seat.on_taken({at, 1, true, 9, {}}, f.out);
  REQUIRE(f.sent<presence>());
  CHECK(f.sent<presence>()->kept_until == base::instant{9s});
}

TEST_CASE("front seat: what the player did before it left is answered first") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.clear();
  f.seat.on_leave(leave_cause::disconnected, f.out);
  CHECK(f.out.send.empty());
  CHECK_FALSE(f.out.ended);
  f.seat.on_told(shown(4, intent_of(1)), f.out);
  REQUIRE(f.sent<give_up>());
  CHECK(f.sent<give_up>()->why == leave_cause::disconnected);
  CHECK(f.out.ended);
  CHECK_FALSE(f.out.lost);
}

TEST_CASE("front seat: a player that leaves while the host is gone leaves at the next one") {
  front f;
  f.seat.on_host_lost();
  f.seat.on_leave(leave_cause::quit, f.out);
  CHECK_FALSE(f.out.ended);
  f.take({});
  REQUIRE(f.out.send.size() == 2);
  CHECK(f.sent<give_up>(1));
  CHECK(f.out.ended);
}

TEST_CASE("front seat: if no hub continues the game each intent is refused, once") {
  front f;
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.seat.on_request(intent_of(2), move_to(5), f.out);
  f.seat.on_host_lost();
  f.clear();
  f.seat.abandon(refusal::game_over, f.out);
  CHECK(f.answered(0) == 1);
  CHECK(f.answered(1) == 2);
  CHECK(std::get<refused>(f.out.deliver[1].what).what.cell == 5);
  CHECK(f.out.ended);
  CHECK(f.out.lost);
}

TEST_CASE("front seat: after a gap the position follows, and the client sees no second start") {
  front f{3};
  f.seat.on_request(intent_of(1), move_to(4), f.out);
  f.clear();
  f.seat.on_gap(f.out);
  f.seat.on_told({intent_of(1), at.game, refused{}}, f.out);
  CHECK(f.answered() == 1);
  f.clear();
  f.seat.on_told({{}, at.game, started{}}, f.out);
  f.seat.on_told(shown(6), f.out);
  REQUIRE(f.out.deliver.size() == 1);
  CHECK(f.delivered() == 6);
  f.clear();
  f.seat.on_resend(view_form::cells, {}, {20}, f.out);
  f.seat.on_gap(f.out);
  REQUIRE(f.out.send.size() == 2);
  CHECK(f.sent<resend>(1)->client == attachment_id{20});
}
