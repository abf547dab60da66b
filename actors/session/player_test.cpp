#include "actors/session/player.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <string>

using namespace gamehub;

namespace {

using player = actors::session::player<std::string>;

seek once() {
  seek s;
  s.engines = {"tictactoe"};
  return s;
}
seek standing(std::uint32_t games_max = 1) {
  auto s = once();
  s.again = true;
  s.games_max = games_max;
  return s;
}

constexpr game_id first{1}, second{2};

player::seat_entry at(game_id id, seat_index seat = 0) { return {id, "table", seat, 0}; }

outcome ended(end_reason why, std::optional<seat_index> winner) { return {why, winner, {}}; }

}  // namespace

TEST_CASE("player: is idle until it waits, and again when it neither waits nor plays") {
  player p;
  CHECK(p.idle());
  p.on_seek_sent(once());
  CHECK(p.waiting());
  p.add_seat(at(first));
  CHECK_FALSE(p.waiting());
  CHECK(p.playing());
  CHECK_FALSE(p.remove_seat(first, ended(end_reason::rules, 0)));
  CHECK(p.idle());
}

TEST_CASE("player: seeks beside games of days, and in the place of one by the second") {
  player p;
  auto beside = once();
  beside.keeps = true;
  auto instead = once();
  instead.replaces = true;
  p.add_seat(at(first));
  CHECK(p.why_no_seek(beside) == refusal::already_in_game);
  CHECK_FALSE(p.why_no_seek(instead));
  p.remove_seat(first, ended(end_reason::rules, 0));
  const auto days = [](std::uint64_t id) {
    auto seat = at(game_id{id});
    seat.away_time = std::chrono::seconds::max();
    return seat;
  };
  for (std::uint64_t id = 10; id < 10 + limits::games_kept_max; ++id) {
    CHECK_FALSE(p.why_no_seek(beside));
    p.on_seek_sent(beside);
    CHECK(p.waiting());
    CHECK(p.seats_wanted() == id - 9);
    p.add_seat(days(id));
    CHECK_FALSE(p.waiting());
  }
  CHECK(p.why_no_seek(beside) == refusal::already_in_game);
  CHECK(p.why_no_seek(once()) == refusal::already_in_game);
  CHECK_FALSE(p.why_no_seek(instead));
  p.drop_if([](const player::seat_entry& each) { return each.id == game_id{10}; });
  p.add_seat(at(first));
  CHECK(p.why_no_seek(beside) == refusal::already_in_game);
  CHECK_FALSE(p.why_no_seek(instead));
  p.add_seat(at(second));
  CHECK(p.why_no_seek(instead) == refusal::already_in_game);
}

TEST_CASE("player: game zero is the only game there is") {
  player p;
  CHECK(p.find({}) == nullptr);
  p.add_seat(at(first));
  REQUIRE(p.find({}) != nullptr);
  CHECK(p.find({})->id == first);
  CHECK(p.find(second) == nullptr);
  p.add_seat(at(second, 1));
  CHECK(p.find({}) == nullptr);
  REQUIRE(p.find(second) != nullptr);
  CHECK(p.find(second)->seat == 1);
  // It has to say which one it means.
  CHECK(p.why_no_seat({}) == refusal::malformed);
}

TEST_CASE("player: may wait once only, and not while it plays the game it waited for") {
  player p;
  CHECK_FALSE(p.why_no_seek(once()).has_value());
  p.on_seek_sent(once());
  CHECK(p.why_no_seek(once()) == refusal::already_in_game);
  p.add_seat(at(first));
  CHECK(p.why_no_seek(once()) == refusal::already_in_game);
  p.remove_seat(first, ended(end_reason::rules, 0));
  CHECK_FALSE(p.why_no_seek(once()).has_value());
}

TEST_CASE("player: a seek without engines is for one that the hub does not know") {
  const player p;
  CHECK(p.why_no_seek({}) == refusal::unknown_engine);
}

TEST_CASE("player: a standing offer waits whenever it has a free place") {
  player p;
  p.on_seek_sent(standing(2));
  p.add_seat(at(first));
  CHECK(p.waiting());
  p.add_seat(at(second));
  CHECK_FALSE(p.waiting());
  CHECK(p.why_no_seek(standing()) == refusal::already_in_game);
  CHECK(p.remove_seat(first, ended(end_reason::rules, 0)));
  CHECK(p.waiting());
  p.on_withdrawn();
  CHECK_FALSE(p.waiting());
  CHECK_FALSE(p.remove_seat(second, ended(end_reason::rules, 0)));
  CHECK(p.idle());
}

TEST_CASE("player: a seat that it is given while it leaves the queue is one it does not want") {
  player p;
  p.on_seek_sent(GENERATE(false, true) ? standing() : once());
  p.on_withdraw_sent();
  CHECK(p.idle());
  CHECK(p.why_no_seek(once()) == refusal::already_in_game);
  SECTION("it was not seated") { CHECK(p.on_withdrawn() == nullptr); }
  SECTION("it was seated") {
    p.add_seat(at(first));
    REQUIRE(p.on_withdrawn() != nullptr);
    CHECK(p.find(first) != nullptr);
    p.remove_seat(first, ended(end_reason::left, 1));
  }
  SECTION("that game is over already") {
    p.add_seat(at(first));
    p.remove_seat(first, ended(end_reason::left, 0));
    CHECK(p.on_withdrawn() == nullptr);
  }
  CHECK_FALSE(p.why_no_seek(once()).has_value());
}

TEST_CASE("player: does not wait for a game while it plays another that it waited for before") {
  player p;
  p.on_seek_sent(once());
  p.add_seat(at(first));
  CHECK(p.why_no_seek(standing()) == refusal::already_in_game);
}

TEST_CASE("player: a refused seek leaves it as it was") {
  player p;
  p.on_seek_sent(standing());
  p.on_seek_refused();
  CHECK(p.idle());
  CHECK_FALSE(p.why_no_seek(once()).has_value());
}

TEST_CASE("player: a move before the opponent came is out of turn") {
  player p;
  CHECK(p.why_no_seat({}) == refusal::not_in_game);
  p.on_seek_sent(once());
  CHECK(p.why_no_seat({}) == refusal::not_your_turn);
  // A game it never had is another matter.
  CHECK(p.why_no_seat(second) == refusal::not_in_game);
}

TEST_CASE("player: the first move after the opponent left crossed that, and no other") {
  player p;
  p.add_seat(at(first, 1));
  p.remove_seat(first, ended(GENERATE(end_reason::left, end_reason::clock), 1));
  CHECK(p.why_no_seat(first) == refusal::not_in_game);
  CHECK(p.why_no_seat({}) == refusal::opponent_left);
  CHECK(p.why_no_seat({}) == refusal::not_in_game);
}

TEST_CASE("player: a move that the table refused because the opponent left was the one") {
  player p;
  p.add_seat(at(first, 1));
  p.remove_seat(first, ended(end_reason::left, 1));
  p.clear_crossed_move();
  CHECK(p.why_no_seat({}) == refusal::not_in_game);
}

TEST_CASE("player: no move crosses an end that was not the opponent's leaving") {
  player p;
  p.add_seat(at(first, 1));
  SECTION("the rules") { p.remove_seat(first, ended(end_reason::rules, 0)); }
  SECTION("its own leaving") { p.remove_seat(first, ended(end_reason::left, 0)); }
  SECTION("its own clock") { p.remove_seat(first, ended(end_reason::clock, 0)); }
  SECTION("everybody's clock") { p.remove_seat(first, ended(end_reason::clock, std::nullopt)); }
  SECTION("the operator") { p.remove_seat(first, ended(end_reason::operator_, std::nullopt)); }
  CHECK(p.why_no_seat({}) == refusal::not_in_game);
}

TEST_CASE("player: a new wait or game forgets what crossed the last one") {
  player p;
  p.add_seat(at(first));
  p.remove_seat(first, ended(end_reason::left, 0));
  SECTION("it waits") {
    p.on_seek_sent(once());
    p.on_seek_refused();
  }
  SECTION("it plays") {
    p.add_seat(at(second));
    p.remove_seat(second, ended(end_reason::rules, 0));
  }
  CHECK(p.why_no_seat({}) == refusal::not_in_game);
}

TEST_CASE("player: keeps what it has until another seat is certain") {
  player p;
  auto joins = once();
  joins.engines.clear();
  joins.join = second;
  SECTION("while it waits") {
    p.on_seek_sent(once());
    p.on_seek_accepted();
    p.set_awaited_game(first);
    CHECK(p.why_no_seek(joins) == refusal::already_in_game);
    joins.replaces = true;
    CHECK_FALSE(p.why_no_seek(joins));
    auto any = once();
    any.replaces = true;
    CHECK_FALSE(p.why_no_seek(any));
    p.on_seek_sent(joins);
    CHECK(p.why_no_seek(joins) == refusal::already_in_game);
    SECTION("it is refused") {
      p.on_seek_refused();
      CHECK(p.awaits(first));
      CHECK(p.seats_wanted() == 1);
    }
    SECTION("the first game begins, and it is refused") {
      p.add_seat(at(first));
      p.on_seek_refused();
      CHECK_FALSE(p.waiting());
      CHECK(p.playing());
    }
    SECTION("the first game begins, and it succeeds") {
      p.add_seat(at(first));
      p.on_seek_accepted();
      p.set_awaited_game(second);
      p.add_seat(at(second));
      CHECK_FALSE(p.waiting());
      CHECK(p.seats().size() == 2);
    }
    SECTION("the first game cannot begin, and it is refused") {
      p.on_waiting_ended();
      CHECK(p.waiting());
      p.on_seek_refused();
      CHECK(p.idle());
    }
    SECTION("it is withdrawn, and then refused") {
      p.on_withdraw_sent();
      p.on_seek_refused();
      CHECK(p.on_withdrawn() == nullptr);
      CHECK(p.idle());
    }
  }
  SECTION("while it plays") {
    p.add_seat(at(first));
    CHECK(p.why_no_seek(joins) == refusal::already_in_game);
    joins.replaces = true;
    CHECK_FALSE(p.why_no_seek(joins));
    p.on_seek_sent(joins);
    CHECK(p.waiting());
    CHECK(p.seats_wanted() == 1);
    SECTION("it is refused") {
      p.on_seek_refused();
      CHECK_FALSE(p.waiting());
      CHECK(p.find(first) != nullptr);
    }
    SECTION("it succeeds") {
      p.on_seek_accepted();
      p.add_seat(at(second));
      CHECK(p.why_no_seek(joins) == refusal::already_in_game);
    }
  }
}

TEST_CASE(
    "player: a client that comes back gets nothing of a game before the game is shown to it") {
  constexpr attachment_id former{7}, present{8};
  player p;
  p.add_seat(at(first)), p.add_seat(at(second));
  CHECK(p.may_receive(first, {}));
  p.show_games_to(former);
  p.show_games_to(present);
  CHECK_FALSE(p.may_receive(first, {}));
  // It was shown to the former client.
  CHECK_FALSE(p.may_receive(first, former));
  CHECK(p.may_receive(first, present));
  CHECK(p.may_receive(first, {}));
  CHECK_FALSE(p.may_receive(second, {}));
  CHECK(p.may_receive(second, present));
  CHECK(p.may_receive(second, {}));
  // Of no game, and of a game that has ended.
  p.show_games_to(present);
  p.remove_seat(first, ended(end_reason::rules, 0));
  CHECK(p.may_receive({}, {}));
  CHECK(p.may_receive(first, {}));
  // Of a game that is here later.
  p.add_seat({game_id{3}, "table", 0, 0, present});
  CHECK_FALSE(p.may_receive(game_id{3}, {}));
  CHECK(p.may_receive(game_id{3}, present));
}
