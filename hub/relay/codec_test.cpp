#include "hub/relay/codec.hpp"

#include "hub/base/random.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace gamehub;
using namespace gamehub::relay;
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
  // Above its use: its type is that of what it makes.
  template <class Make>
  auto several(Make make) {
    std::vector<decltype(make())> out;
    for (auto n = random_.below(items_max + 1); n > 0; --n) out.push_back(make());
    return out;
  }

 public:
  explicit any_message(std::uint64_t seed) : random_(seed) {}

  message draw() {
    switch (random_.below(29)) {
      case 0: return attach{client(), text(32), small()};
      case 1:
        return arrive{client(), text(limits::name_bytes_max), text(32),
                      several([&] { return text(64); })};
      case 2: return request{{number()}, small(), {number()}, intent()};
      case 3: return presence{{number()}, maybe() ? std::optional{instant()} : std::nullopt};
      case 4: return depart{{number()}, maybe()};
      case 5: return told{{number()}, event()};
      case 6: return accepted{{number()}};
      case 7: return closed{{number()}, one<close_reason>(close_reason_count)};
      case 8: return find_player{number(), text(32)};
      case 9: return find_opponent{number(), text(9), text(64), a_seek(), small(), small()};
      case 10: return answer{number(), maybe(), small()};
      case 11: {
        web_request r{number(), text(7), text(64), several([&] { return text(9); }),
                      several([&] { return text(99); })};
        r.accept = text(32), r.last_event_id = text(9), r.digest = text(16);
        r.error_pause = small();
        if (maybe()) r.address.emplace().front() = 1;
        r.opens = maybe();
        return r;
      }
      case 12: return web_taken{number(), small()};
      case 13: return web_gone{number()};
      case 14: return web_part{number(), text(999)};
      case 15:
        return web_answer{number(),
                          small(),
                          text(32),
                          text(32),
                          several([&] { return text(9); }),
                          several([&] { return text(9); }),
                          text(999),
                          small(),
                          maybe()};
      case 16: return web_stream{number(), text(32), small()};
      case 17: return web_end{number()};
      case 18: return watch{number(), {number()}, number()};
      case 19: return watch_taken{number(), small()};
      case 20: return watch_gone{number()};
      case 21: return watch_found{number(), metadata(), one<game_status>(3), number()};
      case 22: {
        watch_update u{number(), maybe() ? metadata() : nullptr, update(), nullptr};
        if (maybe()) u.present = present();
        return u;
      }
      case 23: return watch_present{number(), present()};
      case 24: return watch_end{number(), maybe()};
      case 25: return guest_change{{number()}, text(limits::name_bytes_max), maybe()};
      case 26: return find_game{number(), {number()}, text(limits::name_bytes_max)};
      case 27: return order{number(), text(7), text(64), text(999)};
      default: return order_answer{number(), small(), text(999)};
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
  gamehub::move move() {
    return {one<gamehub::move::form>(3), static_cast<std::int64_t>(random_.next()), text(200)};
  }
  client_at client() {
    client_at c{{number()}, text(9), features(), std::nullopt, small()};
    if (maybe()) c.address = base::address_bytes{1, 2, 3, static_cast<std::uint8_t>(number())};
    return c;
  }
  seek a_seek() {
    seek s;
    s.engines = several([&] { return text(20); });
    s.options = several([&] { return text(20); });
    s.games_max = small();
    s.again = maybe(), s.seat_at_once = maybe(), s.against_engine = maybe();
    s.reserve_game = maybe(), s.closed = maybe(), s.only_by_name = maybe();
    s.opponent_ready = maybe(), s.may_leave = maybe(), s.replaces = maybe();
    s.any_clock = maybe();
    if (maybe()) s.seat = seat();
    s.invitation = text(40), s.opponent = text(40), s.level = text(9), s.clock = text(20);
    s.features = features();
    s.join = {number()};
    s.others = several([&] { return seat_filler{one<seat_filler::kind>(3), text(9)}; });
    return s;
  }
  crossing_intent intent() {
    const game_id game{number()};
    switch (random_.below(19)) {
      case 0: return a_seek();
      case 1: return play{game, move(), maybe() ? number() : 0};
      case 2: return leave{game, maybe(), one<leave_cause>(leave_cause_count)};
      case 3: return chat{game, text(500)};
      case 4: return rematch{game, maybe()};
      case 5: return challenge{text(30), game};
      case 6: return sign_out{};
      case 7: return change_name{text(64)};
      case 8: return decline{game, one<offer_cause>(4), one<offer_step>(4)};
      case 9: return offer{game, one<offer_kind>(3), one<offer_step>(4)};
      default: return claim{game};
    }
  }
  seat_actions actions(seat_index of) { return {of, text(300), maybe()}; }
  position_ref a_position() {
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
    p->actions = several([&] { return actions(seat()); });
    return p;
  }
  std::shared_ptr<const game_metadata> metadata() {
    auto g = std::make_shared<game_metadata>();
    g->id = {number()};
    g->engine = text(20), g->engine_version = text(9), g->options = text(40), g->marks = text(9);
    g->players = several([&] { return text(64); });
    g->kinds = several([&] { return one<seat_kind>(5); });
    g->reserved_for = text(64), g->closed = maybe();
    g->opened = base::wall_time{std::chrono::milliseconds{small()}};
    if (maybe()) g->clock = per_move_clock(std::chrono::seconds{9});
    return g;
  }
  game_update update() {
    game_update u;
    u.number = number(), u.what = one<game_update::kind>(12), u.hidden = maybe();
    u.at = base::wall_time{std::chrono::milliseconds{small()}};
    if (maybe()) u.seat = seat();
    u.name = text(64), u.text = text(200), u.back_to = number();
    if (maybe()) u.cell = static_cast<std::int64_t>(random_.next());
    if (maybe()) u.then = a_position();
    if (maybe()) u.offer = offer_update{one<offer_step>(4), seat(), text(64)};
    return u;
  }
  present_ref present() {
    auto p = std::make_shared<game_present>();
    p->number = number();
    if (maybe()) p->clock = {instant(), {std::chrono::milliseconds{small()}}, number()};
    p->away = several([&] { return absence{seat(), instant()}; });
    return p;
  }
  gamehub::event event() {
    gamehub::event e{
        {{number()}, {number()}, {}, small(), {small(), small(), small()}}, {number()}, done{}};
    switch (random_.below(8)) {
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
      case 1: e.what = a_position(); break;
      case 2: {
        refused r{one<refusal>(refusal_count), text(90), move(), nullptr};
        if (maybe()) r.actions = std::make_shared<const seat_actions>(actions(seat()));
        e.what = std::move(r);
        break;
      }
      case 3: break;
      case 4: e.what = renamed{seat(), text(64), text(64)}; break;
      case 5: e.what = signed_in{text(64), {}, maybe(), small()}; break;
      case 6: {
        placed p{text(9), text(9), std::nullopt, text(40)};
        if (maybe()) p.seat = seat();
        p.rows = 3, p.columns = 4, p.seats = 5, p.begins = maybe(), p.start = text(9);
        if (maybe()) p.clock = per_move_clock(std::chrono::seconds{9});
        e.what = std::move(p);
        break;
      }
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

TEST_CASE("relay codec: what crosses is written again as the same bytes") {
  for (std::uint64_t seed = 0; seed < 3'000; ++seed) {
    INFO("seed " << seed);
    const auto sent = any_message{seed}.draw();
    const auto bytes = bytes_of(sent);
    const auto found = decode(bytes, here);
    REQUIRE(found);
    REQUIRE(std::holds_alternative<message>(*found));
    const auto& got = std::get<message>(*found);
    REQUIRE(got.index() == sent.index());
    CHECK(bytes_of(got, here) == bytes);
  }
}

TEST_CASE("relay codec: relay_fuzz begins with a file of each message") {
  std::set<std::size_t> found;
  for (const auto& each : std::filesystem::directory_iterator{GAMEHUB_RELAY_CORPUS}) {
    std::ifstream in{each.path(), std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    const auto m = decode(bytes, here);
    if (m && std::holds_alternative<message>(*m)) found.insert(std::get<message>(*m).index());
  }
  for (std::size_t i = 0; i < std::variant_size_v<message>; ++i) {
    CAPTURE(i);
    CHECK(found.contains(i));
  }
}

TEST_CASE("relay codec: each prefix and each changed byte is refused, or is a value") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    auto bytes = bytes_of(any_message{seed}.draw());
    for (std::size_t n = 0; n < bytes.size(); ++n) check_reading({bytes.data(), n});
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 400);
         i += tests::sanitized ? 4 : 1)
      for (const int change : {0x01, 0x02, 0x40, 0x80, 0xff}) {
        const auto was = bytes[i];
        bytes[i] = static_cast<char>(was ^ change);
        check_reading(bytes);
        bytes[i] = was;
      }
  }
}

TEST_CASE("relay codec: the bytes are those of the document") {
  CHECK(bytes_of(depart{{300}}) == std::string("\5\1\2\xac\2\2\1\0", 8));
  CHECK(bytes_of(closed{{1}, close_reason::draining}) == std::string("\x23\1\1\1\2\1\x8", 7));
  CHECK(bytes_of(answer{7, true}) == std::string("\x42\1\1\7\2\1\1\3\1\0", 10));
}

TEST_CASE("relay codec: intents have all that they had") {
  const auto cross = [](auto what) {
    const auto got = crossed(request{{9}, 4, {123}, std::move(what)});
    CHECK((got.client == attachment_id{9} && got.ticket == 4 && got.trace == trace_id{123}));
    return std::get<decltype(what)>(got.what);
  };
  const auto p = cross(play{{77}, {gamehub::move::form::word, -6, "e2e4"}, 12});
  CHECK((p.game == game_id{77} && p.move.as == gamehub::move::form::word && p.move.cell == -6));
  CHECK((p.move.text == "e2e4" && p.repeated_after == 12));
  const auto l = cross(leave{{5}, true, leave_cause::bot_error});
  CHECK((l.game == game_id{5} && l.only_waiting && l.why == leave_cause::bot_error));
  const auto c = cross(chat{{5}, "hi"});
  CHECK((c.game == game_id{5} && c.text == "hi"));
  const auto r = cross(rematch{{5}, true});
  CHECK((r.game == game_id{5} && r.only_if_offered));
  const auto ch = cross(challenge{"bob", {5}});
  CHECK((ch.opponent == "bob" && ch.game == game_id{5}));
  CHECK(cross(change_name{"ann"}).name == "ann");
  const auto d = cross(decline{{5}, offer_cause::left, offer_step::withdrawn});
  CHECK((d.game == game_id{5} && d.why == offer_cause::left && d.step == offer_step::withdrawn));
  const auto o = cross(offer{{5}, offer_kind::takeback, offer_step::declined});
  CHECK((o.game == game_id{5} && o.what == offer_kind::takeback && o.step == offer_step::declined));
  CHECK(cross(claim{{5}}).game == game_id{5});
  cross(sign_out{});
}

TEST_CASE("relay codec: a seek has all that it had") {
  seek s;
  s.engines = {"nim", "go"}, s.options = {"", "{}"}, s.games_max = 3, s.again = true;
  s.seat_at_once = true, s.seat = 1, s.against_engine = true, s.reserve_game = true;
  s.closed = true, s.invitation = "i", s.opponent = "o", s.only_by_name = true;
  s.opponent_ready = true, s.level = "easy", s.features.wants_actions = true;
  s.may_leave = true, s.join = {8}, s.replaces = true, s.clock = "none", s.any_clock = true;
  s.others = {{seat_filler::kind::bot, "b"}};
  const auto got = crossed(find_opponent{3, "turns", "ann", s, 5, 2});
  CHECK((got.question == 3 && got.wire == "turns" && got.name == "ann"));
  CHECK((got.gathered == 5 && got.stay == 2));
  const auto& q = got.what;
  CHECK((q.engines == s.engines && q.options == s.options && q.games_max == 3 && q.again));
  CHECK((q.seat_at_once && q.seat == 1 && q.against_engine && q.reserve_game && q.closed));
  CHECK((q.invitation == "i" && q.opponent == "o" && q.only_by_name && q.opponent_ready));
  CHECK((q.level == "easy" && q.features.wants_actions && q.may_leave && q.join == game_id{8}));
  CHECK((q.replaces && q.others == s.others && q.clock == "none" && q.any_clock));
}

TEST_CASE("relay codec: players have all that they had") {
  const client_at at{{9}, "turns", {true, false, true, false}, base::address_bytes{1, 2}, 2};
  const auto is_alike = [&](const client_at& c) {
    return c.id == at.id && c.wire == at.wire && c.features.wants_actions && !c.features.resumes &&
           c.features.answers_offers && !c.features.wants_presence && c.address == at.address &&
           c.moves == 2;
  };
  const auto a = crossed(attach{at, "digest", 4});
  CHECK((is_alike(a.client) && a.digest == "digest" && a.ticket == 4));
  const auto m = crossed(arrive{at, "ann", "digest", {"anna"}});
  CHECK((is_alike(m.client) && m.name == "ann" && m.digest == "digest"));
  CHECK(m.former_names == std::vector<std::string>{"anna"});
  CHECK_FALSE(crossed(attach{{{9}, "turns"}, "digest", 4}).client.address);
  CHECK(crossed(find_player{5, "digest"}).digest == "digest");
  CHECK(crossed(accepted{{9}}).client == attachment_id{9});
  CHECK(crossed(closed{{9}, close_reason::banned}).why == close_reason::banned);
}

TEST_CASE("relay codec: orders of operators have all that they had") {
  const auto o = crossed(order{4, "POST", "/games", "{}"});
  CHECK((o.number == 4 && o.method == "POST" && o.target == "/games" && o.body == "{}"));
  const auto a = crossed(order_answer{4, 404, "[]"});
  CHECK((a.number == 4 && a.status == 404 && a.json == "[]"));
  CHECK(bytes_of(order{7, "", "/", ""}) == std::string("\x45\1\1\7\3\1/", 7));
  CHECK(bytes_of(order_answer{7, 200, ""}) == std::string("\x46\1\1\7\2\2\xc8\1", 8));
}

TEST_CASE("relay codec: a secret and a mistake do not cross") {
  const auto e = crossed(told{{1}, {{}, {}, signed_in{"ann", "secret", true, 3}}});
  const auto& s = std::get<signed_in>(e.what.what);
  CHECK((s.name == "ann" && s.secret.empty() && s.returned && s.games == 3));
  const auto o = crossed(request{{1}, 2, {}, offer{{}, offer_kind::draw, {}, "mistake"}});
  CHECK(std::get<offer>(o.what).mistake.empty());
}

TEST_CASE("relay codec: times cross as what is left of them") {
  CHECK(crossed(presence{{1}, there + 20s}).kept_until == here + 20s);
  CHECK_FALSE(crossed(presence{{1}, std::nullopt}).kept_until);
  auto p = std::make_shared<position>();
  p->clock = {there - 3s, {10s, 20s}, 2};
  const auto e = crossed(told{{1}, {{}, {1}, position_ref{p}}});
  const auto& clock = std::get<position_ref>(e.what.what)->clock;
  CHECK(clock.left_at(0, here) == 10s);
  CHECK(clock.left_at(1, here) == 17s);
  CHECK(crossed(presence{{1}, base::instant::max()}).kept_until > here + 24h * 365 * 29);
}

TEST_CASE("relay codec: a position has all that it had") {
  auto p = std::make_shared<position>();
  p->number = 12, p->by = 0, p->to_move = 2, p->prompted = 2, p->away = 1, p->substituted = 4;
  p->rows = 3, p->columns = 4, p->cells = "XO-", p->document = "{}", p->score = {1.5, 2};
  p->summary = "check";
  p->outcome = outcome{end_reason::agreed, 1, {0.5, 0.5}, 1};
  p->actions = {{0, "[1]", true}, {1, "[2]", false}};
  const auto got = crossed(told{{5}, {{{4}, {6}, {}, 9, {1, 2, 3}}, {77}, position_ref{p}}});
  CHECK((got.client == attachment_id{5} && got.what.game == game_id{77}));
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
  REQUIRE(q.actions.size() == 2);
  CHECK((q.actions[1].seat == 1 && q.actions[1].list == "[2]" && !q.actions[1].complete));
}

TEST_CASE("relay codec: the other events have all that they had") {
  const auto cross = [&](auto what) {
    const auto got = crossed(told{{1}, {{}, {77}, std::move(what)}});
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
  const auto waits = cross(placed{"nim", "XO", 1, "inv", 3, 4, true, 5, "---",
                                  std::get<clock_rule>(read_clock("none"))});
  CHECK((waits.engine == "nim" && waits.marks == "XO" && waits.seat == 1));
  CHECK((waits.invitation == "inv" && waits.rows == 3 && waits.columns == 4 && waits.begins));
  CHECK((waits.seats == 5 && waits.start == "---" && waits.clock));
}

TEST_CASE("relay codec: the game, its updates and its state have all that they had") {
  auto g = std::make_shared<game_metadata>();
  g->id = {7}, g->engine = "nim", g->engine_version = "1.2", g->options = "{}", g->marks = "XO";
  g->players = {"ann", ""}, g->kinds = {seat_kind::player, seat_kind::bot};
  g->reserved_for = "bob", g->closed = true, g->opened = base::wall_time{5ms};
  g->clock = per_move_clock(9s);
  const auto f = crossed(watch_found{3, g, game_status::running, 12});
  CHECK((f.number == 3 && f.status == game_status::running && f.last == 12));
  CHECK((f.game->id == game_id{7} && f.game->engine == "nim" && f.game->engine_version == "1.2"));
  CHECK((f.game->options == "{}" && f.game->marks == "XO" && f.game->players == g->players));
  CHECK((f.game->kinds == g->kinds && f.game->reserved_for == "bob" && f.game->closed));
  CHECK((f.game->opened == g->opened && f.game->clock == g->clock));

  auto p = std::make_shared<game_present>();
  p->number = 12, p->clock = {there, {10s, 20s}, 1};
  p->away = {{1, there + 20s}, {0, base::instant::max(), there + 30s}};
  watch_update sent{3, nullptr, {}, p};
  auto then = std::make_shared<position>();
  then->cells = "XO-";
  sent.what.number = 12, sent.what.at = base::wall_time{6ms};
  sent.what.what = game_update::kind::moved, sent.what.hidden = true, sent.what.seat = 1;
  sent.what.name = "ann", sent.what.text = "e4", sent.what.cell = -3, sent.what.then = then;
  sent.what.back_to = 4, sent.what.as = 1;
  sent.what.offer = offer_update{offer_step::accepted, 1, "ann"};
  const auto u = crossed(sent);
  CHECK((u.number == 3 && !u.game && u.what.number == 12 && u.what.at == sent.what.at));
  CHECK((u.what.what == game_update::kind::moved && u.what.hidden && u.what.seat == 1));
  CHECK((u.what.name == "ann" && u.what.text == "e4" && u.what.cell == -3));
  CHECK((u.what.then->cells == "XO-" && u.what.back_to == 4 && u.what.offer->name == "ann"));
  // The view of a seat is not for spectators.
  CHECK_FALSE(u.what.as);
  CHECK((u.present->number == 12 && u.present->clock.left_at(0, here) == 10s));
  CHECK(u.present->away ==
        std::vector<absence>{{1, here + 20s}, {0, base::instant::max(), here + 30s}});
  CHECK(crossed(watch_present{3, p}).present->away.size() == 2);
  const auto w = crossed(watch{3, {7}, 9});
  CHECK((w.number == 3 && w.game == game_id{7} && w.after == 9));
  CHECK(crossed(watch_taken{3, 16}).updates == 16);
  CHECK(crossed(watch_gone{3}).number == 3);
  CHECK(crossed(watch_end{3, true}).complete);
  const auto c = crossed(guest_change{{7}, "a guest", true});
  CHECK((c.game == game_id{7} && c.name == "a guest" && c.left));
  CHECK(fault_of(std::string("\x29\1\1\3", 4)) == fault::missing);  // an update without content
}

TEST_CASE("relay codec: what a newer member adds is skipped, and what is wrong is refused") {
  const auto whole = bytes_of(closed{{1}, close_reason::idle});
  CHECK(std::get<closed>(std::get<message>(*decode(whole + "\x70\3abc", here))).why ==
        close_reason::idle);
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
  // A reason and a name out of their bounds, a wrong address, two intents in one request.
  CHECK(fault_of(std::string("\x23\1\1\1\2\1\x7f", 7)) == fault::field);
  CHECK(fault_of(bytes_of(arrive{{{1}}, std::string(limits::name_bytes_max + 1, 'x'), {}, {}})) ==
        fault::field);
  CHECK(fault_of(std::string("\1\1\6\1\1\1\4\1\7\3\1\1", 12)) == fault::field);
  CHECK(fault_of(bytes_of(request{{1}, 1, {}, claim{}}) + std::string("\x10\0", 2)) ==
        fault::repeated);
}

TEST_CASE("relay codec: what is longer than may cross has no bytes") {
  auto p = std::make_shared<position>();
  p->document = std::string(link::message_bytes_max - 200, 'x');
  CHECK(encode(told{{1}, {{}, {1}, position_ref{p}}}, there));
  p->document += std::string(400, 'x');
  CHECK_FALSE(encode(told{{1}, {{}, {1}, position_ref{p}}}, there));
  seek s;
  s.engines.resize(items_max + 1);
  CHECK_FALSE(encode(find_opponent{1, {}, {}, s, 0, 0}, there));
}
