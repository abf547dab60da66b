#include "hub/far/codec.hpp"

#include "hub/base/random.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

using namespace gamehub;
using namespace gamehub::far;
using namespace std::chrono_literals;

namespace {

// Times of the other hub and of this one: their clocks began at different moments.
constexpr base::instant there{50h}, here{3h};

std::string bytes_of(const message& m, base::instant now = there) {
  auto out = encode(m, now);
  REQUIRE(out);
  return *out;
}

template <class Message>
Message crossed(const Message& m) {
  const auto found = decode(bytes_of(m), here);
  REQUIRE(found);
  REQUIRE(std::holds_alternative<message>(*found));
  return std::get<Message>(std::get<message>(*found));
}

fault fault_of(std::string_view bytes) {
  const auto found = decode(bytes, here);
  REQUIRE(found);
  REQUIRE(std::holds_alternative<fault>(*found));
  return std::get<fault>(*found);
}

// Draws any valid message.
class any_message {
 public:
  explicit any_message(std::uint64_t seed) : random_(seed) {}

  message draw() {
    const place at{{1 + number() / 2}, seat()};
    switch (random_.below(12)) {
      case 0: return request{at, {{number()}, static_cast<ticket>(number()), {number()}}, intent()};
      case 1: return resend{at, form(), features(), {number()}};
      case 2: return presence{at, maybe() ? std::optional{instant()} : std::nullopt};
      case 3: return far::rename{at, text(limits::name_bytes_max)};
      case 4: return give_up{at, one<leave_cause>(leave_cause_count)};
      case 5: return take{at, {number()}, number(), number(), text(limits::name_bytes_max)};
      case 6: return told{at, event_of(at)};
      case 7: return seated{at, {number()}, text(64), text(64), maybe(), form(), features()};
      case 8: return suspended{at};
      case 9: return moved{at, {number()}};
      case 10: return gap{at};
      default: return taken{at, number(), maybe(), number(), {small(), small(), small()}};
    }
  }

 private:
  bool maybe() { return random_.below(2) == 0; }
  std::uint64_t number() { return random_.next() >> random_.below(64); }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  seat_index seat() { return static_cast<seat_index>(random_.below(64)); }
  template <class Enum>
  Enum one(int count) {
    return static_cast<Enum>(random_.below(static_cast<std::uint64_t>(count)));
  }
  view_form form() { return one<view_form>(2); }
  client_features features() { return {maybe(), maybe(), maybe(), maybe()}; }
  base::instant instant() {
    return there + std::chrono::microseconds{static_cast<std::int64_t>(random_.below(1u << 30))} -
           500s;
  }
  std::string text(std::size_t bytes_max) {
    std::string out(random_.below(bytes_max + 1), '\0');
    for (auto& c : out) c = static_cast<char>(random_.next());
    return out;
  }
  template <class Make>
  auto several(Make make) {
    std::vector<decltype(make())> out;
    for (auto n = random_.below(items_max + 1); n > 0; --n) out.push_back(make());
    return out;
  }
  gamehub::move move() {
    return {one<gamehub::move::form>(3), static_cast<std::int64_t>(random_.next()), text(200)};
  }
  game_intent intent() {
    switch (random_.below(5)) {
      case 0: return play{{}, move()};
      case 1: return leave{{}, false, one<leave_cause>(leave_cause_count)};
      case 2: return chat{{}, text(500)};
      case 3: return offer{{}, one<offer_kind>(3), one<offer_step>(4)};
      default: return claim{};
    }
  }
  seat_actions actions(seat_index of) { return {of, text(300), maybe()}; }
  position_ref a_position(seat_index of) {
    auto p = std::make_shared<position>();
    p->number = number();
    if (maybe()) p->by = seat();
    p->to_move = number(), p->prompted = number(), p->away = number(), p->substituted = number();
    p->rows = static_cast<std::uint16_t>(number()), p->columns = 19;
    p->cells = text(400), p->document = text(400), p->summary = text(40);
    p->score = several([&] { return static_cast<double>(random_.next()) / 3; });
    if (maybe())
      p->outcome = outcome{one<end_reason>(end_reason_count), seat(), {0.5, -1}, number()};
    if (maybe())
      p->clock = {instant(), several([&] { return std::chrono::milliseconds{small()}; }), number()};
    if (p->clock && maybe()) {
      p->clock.periods = several([&] { return static_cast<std::uint32_t>(number()); });
      if (!p->clock.periods.empty()) p->clock.period = std::chrono::milliseconds{small()};
    }
    if (maybe()) p->actions.push_back(actions(of));
    return p;
  }
  event event_of(place at) {
    event e{{{number()}, {number()}, {}, small(), {small(), small(), small()}}, at.game, done{}};
    switch (random_.below(6)) {
      case 0: {
        started s{text(30), text(9), several([&] { return text(64); }), seat(), {}, nullptr};
        s.visits = several([&] { return base::wall_time{std::chrono::milliseconds{small()}}; });
        if (maybe())
          s.terms = std::make_shared<const game_terms>(game_terms{
              text(9), text(99), std::chrono::milliseconds{small()},
              several([&] { return one<seat_kind>(5); }),
              maybe() ? std::optional{per_move_clock(std::chrono::seconds{9})} : std::nullopt});
        e.what = std::move(s);
        break;
      }
      case 1: e.what = a_position(at.seat); break;
      case 2: {
        refused r{one<refusal>(refusal_count), text(90), move(), nullptr};
        if (maybe()) r.actions = std::make_shared<const seat_actions>(actions(at.seat));
        e.what = std::move(r);
        break;
      }
      case 3: break;
      case 4: e.what = renamed{seat(), text(64), text(64)}; break;
      default:
        e.what = offer_update{one<offer_step>(4),  seat(),     text(64),
                              one<offer_cause>(4), {number()}, one<offer_kind>(3)};
    }
    return e;
  }

  base::seeded_entropy random_;
};

// What is read is a value that is written and read again alike, or a fault.
void check_reading(std::string_view bytes) {
  // A copy of just this size: a view beyond it is found by a sanitizer.
  const std::string exact{bytes};
  const auto found = decode(exact, here);
  if (!found || std::holds_alternative<fault>(*found)) return;
  const auto again = encode(std::get<message>(*found), here);
  REQUIRE(again);
  const auto twice = decode(*again, here);
  REQUIRE(twice);
  REQUIRE(std::holds_alternative<message>(*twice));
  CHECK(bytes_of(std::get<message>(*twice), here) == *again);
}

}  // namespace

TEST_CASE("far codec: what crosses is written again as the same bytes") {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    INFO("seed " << seed);
    const auto sent = any_message{seed}.draw();
    const auto bytes = bytes_of(sent);
    const auto found = decode(bytes, here);
    REQUIRE(found);
    REQUIRE(std::holds_alternative<message>(*found));
    const auto& got = std::get<message>(*found);
    REQUIRE(got.index() == sent.index());
    CHECK(place_of(got) == place_of(sent));
    CHECK(bytes_of(got, here) == bytes);
  }
}

TEST_CASE("far codec: each prefix and each changed byte is refused, or is a value") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    auto bytes = bytes_of(any_message{seed}.draw());
    for (std::size_t n = 0; n < bytes.size(); ++n) check_reading({bytes.data(), n});
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 400); ++i)
      for (const int change : {0x01, 0x02, 0x40, 0x80, 0xff}) {
        const auto was = bytes[i];
        bytes[i] = static_cast<char>(was ^ change);
        check_reading(bytes);
        bytes[i] = was;
      }
  }
}

TEST_CASE("far codec: the bytes are those of the document") {
  CHECK(bytes_of(suspended{{{300}, 1}}) == std::string("\x23\1\7\1\2\xac\2\2\1\1", 10));
  CHECK(bytes_of(moved{{{1}, 0}, {7}}) == std::string("\x24\1\6\1\1\1\2\1\0\2\1\7", 12));
  CHECK(bytes_of(give_up{{{1}, 0}, leave_cause::disconnected}) ==
        std::string("\5\1\6\1\1\1\2\1\0\2\1\1", 12));
}

TEST_CASE("far codec: requests have all that they had") {
  const place at{{77}, 5};
  const auto p =
      crossed(request{at, {{9}, 4, {123}}, play{{77}, {gamehub::move::form::word, -6, "e2e4"}}});
  CHECK(p.at == at);
  CHECK(p.from.from == attachment_id{9});
  CHECK(p.from.ticket == 4);
  CHECK(p.from.trace == trace_id{123});
  const auto& move = std::get<play>(p.what);
  CHECK(move.game == game_id{77});
  CHECK(move.move.as == gamehub::move::form::word);
  CHECK(move.move.cell == -6);
  CHECK(move.move.text == "e2e4");
  const auto left = crossed(request{at, {}, leave{{}, false, leave_cause::bot_error}});
  CHECK(std::get<leave>(left.what).why == leave_cause::bot_error);
  CHECK(std::get<chat>(crossed(request{at, {}, chat{{}, "hi"}}).what).text == "hi");
  const auto o = crossed(request{at, {}, offer{{}, offer_kind::takeback, offer_step::declined}});
  CHECK(std::get<offer>(o.what).what == offer_kind::takeback);
  CHECK(std::get<offer>(o.what).step == offer_step::declined);
  CHECK(std::get<claim>(crossed(request{at, {}, claim{}}).what).game == game_id{77});

  const auto r = crossed(resend{at, view_form::document, {true, false, true, false}, {8}});
  CHECK(r.form == view_form::document);
  CHECK(r.client == attachment_id{8});
  CHECK(r.features.wants_actions);
  CHECK_FALSE(r.features.resumes);
  CHECK(r.features.answers_offers);
  CHECK_FALSE(r.features.wants_presence);
  CHECK(crossed(far::rename{at, "ann"}).name == "ann");
  CHECK(crossed(give_up{at, leave_cause::banned}).why == leave_cause::banned);
  const auto t = crossed(take{at, {3}, 2, 41, "bob"});
  CHECK(t.player == player_id{3});
  CHECK(t.attempt == 2);
  CHECK(t.after == 41);
  CHECK(t.name == "bob");
}

TEST_CASE("far codec: times cross as what is left of them") {
  CHECK(crossed(presence{{{1}, 0}, there + 20s}).kept_until == here + 20s);
  CHECK_FALSE(crossed(presence{{{1}, 0}, std::nullopt}).kept_until);
  auto p = std::make_shared<position>();
  p->clock = {there - 3s, {10s, 20s}, 2};
  const auto e = crossed(told{{{1}, 0}, {{}, {1}, position_ref{p}}});
  const auto& clock = std::get<position_ref>(e.what.what)->clock;
  CHECK(clock.left_at(0, here) == 10s);
  CHECK(clock.left_at(1, here) == 17s);
  CHECK(crossed(presence{{{1}, 0}, base::instant::max()}).kept_until > here + 24h * 365 * 29);
}

TEST_CASE("far codec: a position has all that its player may see") {
  const place at{{77}, 1};
  auto p = std::make_shared<position>();
  p->number = 12, p->by = 0, p->to_move = 2, p->prompted = 2, p->away = 1, p->substituted = 4;
  p->rows = 3, p->columns = 4, p->cells = "XO-", p->document = "{}", p->score = {1.5, 2};
  p->summary = "check";
  p->outcome = outcome{end_reason::agreed, 1, {0.5, 0.5}, 1};
  p->actions = {{0, "[1]", true}, {1, "[2]", false}};
  const auto got = crossed(told{at, {{{4}, {6}, {}, 9, {1, 2, 3}}, at.game, position_ref{p}}});
  CHECK(got.what.game == at.game);
  CHECK(got.what.answers.from == attachment_id{4});
  CHECK(got.what.answers.trace == trace_id{6});
  CHECK(got.what.answers.ticket == 9);
  CHECK(got.what.answers.stages.taken_up == 1);
  CHECK(got.what.answers.stages.decided == 2);
  CHECK(got.what.answers.stages.committed == 3);
  const auto& q = *std::get<position_ref>(got.what.what);
  CHECK(q.number == 12);
  CHECK(q.by == 0);
  CHECK((q.to_move == 2 && q.prompted == 2 && q.away == 1 && q.substituted == 4));
  CHECK((q.rows == 3 && q.columns == 4 && q.cells == "XO-" && q.document == "{}"));
  CHECK(q.score == std::vector{1.5, 2.0});
  CHECK(q.summary == "check");
  REQUIRE(q.outcome);
  CHECK((q.outcome->reason == end_reason::agreed && q.outcome->winner == 1));
  CHECK((q.outcome->scores == std::vector{0.5, 0.5} && q.outcome->forfeits == 1));
  // The actions of other seats stay.
  REQUIRE(q.actions.size() == 1);
  CHECK((q.actions[0].seat == 1 && q.actions[0].list == "[2]" && !q.actions[0].complete));
}

TEST_CASE("far codec: the other events have all that they had") {
  const place at{{77}, 1};
  const auto cross = [&](auto what) {
    const auto got = crossed(told{at, {{}, at.game, std::move(what)}});
    return std::get<decltype(what)>(got.what.what);
  };
  const auto s = cross(started{"chess",
                               "XO",
                               {"ann", "bob"},
                               1,
                               {base::wall_time{5ms}},
                               std::make_shared<const game_terms>(game_terms{
                                   "1.0", "{}", 9s, {seat_kind::bot, seat_kind::player}})});
  CHECK((s.engine == "chess" && s.marks == "XO" && s.seat == 1));
  CHECK(s.players == std::vector<std::string>{"ann", "bob"});
  CHECK(s.visits == std::vector{base::wall_time{5ms}});
  REQUIRE(s.terms);
  CHECK((s.terms->version == "1.0" && s.terms->options == "{}" && s.terms->turn_time == 9s));
  CHECK(s.terms->kinds == std::vector{seat_kind::bot, seat_kind::player});
  CHECK_FALSE(s.terms->clock);
  CHECK_FALSE(cross(started{}).terms);
  const auto rule = std::get<clock_rule>(read_clock("byoyomi:0.5+3x2"));
  started with_clock;
  with_clock.terms = std::make_shared<const game_terms>(game_terms{"1.0", "", 0s, {}, rule});
  CHECK((cross(with_clock).terms->clock == rule));
  const auto no = cross(refused{refusal::illegal_move,
                                "no",
                                {gamehub::move::form::cell, 4, ""},
                                std::make_shared<const seat_actions>(seat_actions{1, "[]", true})});
  CHECK((no.why == refusal::illegal_move && no.detail == "no" && no.what.cell == 4));
  REQUIRE(no.actions);
  CHECK(no.actions->list == "[]");
  const auto name = cross(renamed{1, "new", "old"});
  CHECK((name.seat == 1 && name.name == "new" && name.old_name == "old"));
  const auto o = cross(
      offer_update{offer_step::withdrawn, 1, "ann", offer_cause::moved, {4}, offer_kind::takeback});
  CHECK((o.step == offer_step::withdrawn && o.seat == 1 && o.name == "ann"));
  CHECK((o.cause == offer_cause::moved && o.next == game_id{4} && o.what == offer_kind::takeback));
  cross(done{});

  const auto e = crossed(seated{at, {8}, "go", "2.1", true, view_form::document, {true, true}});
  CHECK((e.player == player_id{8} && e.engine == "go" && e.version == "2.1" && e.restored));
  CHECK((e.form == view_form::document && e.features.wants_actions && e.features.resumes));
  CHECK(crossed(moved{at, {6}}).to == member_id{6});
  const auto t = crossed(taken{at, 7, true, 99, {1, 2, 3}});
  CHECK((t.attempt == 7 && t.here && t.last == 99));
  CHECK(t.since == tally{1, 2, 3});
}

TEST_CASE("far codec: what a newer member adds is skipped, and what is wrong is refused") {
  const auto whole = bytes_of(moved{{{1}, 0}, {7}});
  CHECK(std::get<moved>(std::get<message>(*decode(whole + "\x70\3abc", here))).to == member_id{7});
  CHECK_FALSE(decode("\x91 anything", here));
  CHECK(fault_of("\x11") == fault::kind);
  CHECK(fault_of("") == fault::empty);
  CHECK(fault_of(std::string(link::message_bytes_max + 1, 'x')) == fault::too_long);
  CHECK(fault_of("\x23") == fault::missing);
  CHECK(fault_of(whole + "\2\1\7") == fault::repeated);
  CHECK(fault_of(whole + "\2\1") == fault::field);
  std::string many = whole;
  for (int tag = 100; tag < 164; ++tag) many += std::string{static_cast<char>(tag), '\0'};
  CHECK(fault_of(many) == fault::fields);
  // No game; a seat, a cause and a name out of their bounds; two intents in one request.
  CHECK(fault_of(std::string("\x23\1\6\1\1\0\2\1\0", 9)) == fault::field);
  CHECK(fault_of(std::string("\x23\1\6\1\1\1\2\1\x40", 9)) == fault::field);
  CHECK(fault_of(std::string("\5\1\6\1\1\1\2\1\0\2\1\x7f", 12)) == fault::field);
  CHECK(fault_of(bytes_of(far::rename{{{1}, 0}, std::string(limits::name_bytes_max + 1, 'x')})) ==
        fault::field);
  CHECK(fault_of(bytes_of(request{{{1}, 0}, {}, claim{}}) + std::string("\5\0", 2)) ==
        fault::repeated);
}

TEST_CASE("far codec: what is longer than a message of a link has no bytes") {
  auto p = std::make_shared<position>();
  p->document = std::string(link::message_bytes_max - 200, 'x');
  CHECK(encode(told{{{1}, 0}, {{}, {1}, position_ref{p}}}, there));
  p->document += std::string(400, 'x');
  CHECK_FALSE(encode(told{{{1}, 0}, {{}, {1}, position_ref{p}}}, there));
}
