#include "hub/webhook/book.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::webhook {
namespace {

using namespace std::chrono_literals;

const base::wall_time start{std::chrono::days{20'000}};

book_rules quick_rules() { return {10s, 30s, 3, 4}; }

hook hook_of(const std::string& player, const std::string& host = "a.example") {
  hook h;
  h.player = player;
  h.url = "http://" + host + "/";
  h.host = host;
  h.secret = "0123456789abcdef";
  h.confirmed = "192.0.2.1";
  return h;
}

absent_turn turn_of(const std::string& player, std::uint64_t game, std::uint64_t number) {
  return {{player, game_id{game}, "nim", 0}, number, start};
}
lasting_end end_of(const std::string& player, std::uint64_t game, bool away) {
  return {{player, game_id{game}, "nim", 0}, 99, away};
}

// A book with what is around it.
struct timed_book {
  explicit timed_book(book_rules rules = quick_rules()) : all(rules) {}

  void turn(const std::string& player, std::uint64_t game, std::uint64_t number) {
    all.on_turn(turn_of(player, game, number), now,
                [&] { return "turn " + std::to_string(number); });
  }
  void end(const std::string& player, std::uint64_t game, bool away = true) {
    all.on_end(end_of(player, game, away), now, [] { return "end"; });
  }
  std::string next() {
    call = all.next(now);
    return call ? call->to.player + ' ' + call->what.body : "";
  }
  bool done(book::result how, const std::string& why = "it failed") {
    return all.ended(*call, how, "192.0.2.1", why, now, random);
  }

  book all;
  base::wall_time now = start;
  std::optional<book::call> call;
  base::seeded_entropy random{1};
};

}  // namespace

TEST_CASE("webhook book: a turn is told after the delay, and once") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.turn("bob", 1, 5);
  CHECK(d.all.next_at() == start + 10s);
  CHECK(d.next() == "");
  d.now += 10s;
  CHECK(d.next() == "ann turn 5");
  CHECK(d.call->to.url == "http://a.example/");
  CHECK_FALSE(d.done(book::result::delivered));
  CHECK(d.all.count().waiting == 0);
  // The player was there for a moment, or the hub was started again.
  d.all.on_turn_over("ann", game_id{1});
  d.turn("ann", 1, 5);
  CHECK(d.all.next_at() == base::wall_time::max());
  d.turn("ann", 1, 7);
  CHECK(d.all.next_at() == d.now + 10s);
}

TEST_CASE("webhook book: a player who is back in time is not told, and a later turn replaces one") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.all.on_turn_over("ann", game_id{1});
  CHECK(d.all.next_at() == base::wall_time::max());
  d.turn("ann", 1, 5);
  d.turn("ann", 1, 7);
  d.now += 10s;
  CHECK(d.next() == "ann turn 7");
  CHECK(d.all.count().waiting == 1);
}

TEST_CASE("webhook book: the end of a game replaces its turn, if the player is away") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.turn("ann", 2, 6);
  d.end("ann", 1);
  d.end("ann", 2, false);
  d.now += 10s;
  CHECK(d.next() == "ann end");
  CHECK(d.next() == "");
  d.done(book::result::delivered);
  CHECK(d.all.count().waiting == 0);
  CHECK(d.next() == "");
  // Nothing is left of the game.
  CHECK(d.all.take_changes().events.at({"ann", game_id{1}}) == std::nullopt);
}

TEST_CASE("webhook book: an event that changed during the call is told after it") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.now += 10s;
  CHECK(d.next() == "ann turn 5");
  d.turn("ann", 1, 7);
  d.now += 10s;
  CHECK(d.next() == "");
  d.done(book::result::delivered);
  CHECK(d.next() == "ann turn 7");
}

TEST_CASE("webhook book: after a failure the webhook gets no call for a while, then it is off") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.turn("ann", 2, 6);
  d.now += 10s;
  CHECK(d.next() == "ann turn 5");
  CHECK_FALSE(d.done(book::result::failed));
  CHECK(d.all.state_of("ann")->failures == 1);
  CHECK(d.next() == "");
  CHECK(d.all.next_at() >= d.now + 22s);
  CHECK(d.all.next_at() <= d.now + 38s);
  d.now = d.all.next_at();
  CHECK(d.next() == "ann turn 5");
  CHECK_FALSE(d.done(book::result::failed));
  CHECK(d.all.next_at() >= d.now + 45s);
  d.now = d.all.next_at();
  CHECK(d.next() != "");
  CHECK(d.done(book::result::failed, "it did not answer in time"));
  const auto state = d.all.state_of("ann");
  CHECK_FALSE(state->on);
  CHECK(state->why == "it did not answer in time");
  CHECK(state->waiting == 0);
  d.turn("ann", 1, 9);
  CHECK(d.all.next_at() == base::wall_time::max());
  CHECK(d.all.count().off == 1);
  // Registered again, it is on.
  d.all.set(hook_of("ann"), d.now);
  CHECK(d.all.state_of("ann")->on);
  CHECK(d.all.state_of("ann")->failures == 0);
  CHECK(d.all.count().on == 1);
  CHECK(d.all.count().off == 0);
}

TEST_CASE("webhook book: a success forgets the failures, and one that is gone is off at once") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.now += 10s;
  d.next();
  d.done(book::result::failed);
  d.now = d.all.next_at();
  CHECK(d.next() == "ann turn 5");
  d.done(book::result::delivered);
  CHECK(d.all.state_of("ann")->failures == 0);
  d.turn("ann", 1, 7);
  d.now += 10s;
  CHECK(d.next() == "ann turn 7");
  CHECK(d.done(book::result::gone));
  CHECK_FALSE(d.all.state_of("ann")->on);
}

TEST_CASE("webhook book: pauses double up to six hours, with a quarter of them at random") {
  base::seeded_entropy random{7};
  bool differ = false;
  base::duration last{};
  for (std::uint32_t failures = 1; failures <= limits::webhook_failures_most; ++failures) {
    auto full = base::duration{30s} * (1 << std::min(failures - 1, 20U));
    full = std::min(full, base::duration{limits::webhook_pause_max});
    const auto pause = pause_after(failures, 30s, random);
    CHECK(pause >= full * 3 / 4 - 1s);
    CHECK(pause <= full * 5 / 4);
    differ = differ || (failures > 12 && pause != last);
    last = pause;
  }
  CHECK(differ);
}

TEST_CASE("webhook book: a host gets few calls at once, and those of others go on") {
  timed_book d{{0s, 30s, 3, 1'000}};
  std::vector<book::call> calls;
  for (int i = 0; i < 10; ++i) {
    const auto player = "a" + std::to_string(i);
    d.all.set(hook_of(player), start);
    d.turn(player, 1, 5);
  }
  d.all.set(hook_of("z", "z.example"), start);
  d.turn("z", 1, 5);
  while (auto c = d.all.next(d.now)) calls.push_back(*std::move(c));
  REQUIRE(calls.size() == limits::webhook_calls_per_host_max + 1);
  CHECK(calls.back().to.player == "z");
  CHECK(d.all.count().in_flight == calls.size());
  // Each call that ends makes room for one that waits, also if it was removed meanwhile.
  CHECK(d.all.remove(calls[0].to.player));
  std::size_t told = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    d.all.ended(calls[i], book::result::delivered, "192.0.2.1", {}, d.now, d.random);
    ++told;
    while (auto c = d.all.next(d.now)) calls.push_back(*std::move(c));
  }
  CHECK(told == 11);
  CHECK(d.all.count().in_flight == 0);
  CHECK(d.all.count().waiting == 0);
}

TEST_CASE("webhook book: all calls in flight have a limit") {
  timed_book d{{0s, 30s, 3, 1'000}};
  for (std::size_t i = 0; i < limits::webhook_calls_max + 5; ++i) {
    const auto player = std::to_string(i);
    d.all.set(hook_of(player, player + ".example"), start);
    d.turn(player, 1, 5);
  }
  std::vector<book::call> calls;
  while (auto c = d.all.next(d.now)) calls.push_back(*std::move(c));
  CHECK(calls.size() == limits::webhook_calls_max);
  CHECK(d.all.next_at() == base::wall_time::max());
  d.all.ended(calls[0], book::result::delivered, "192.0.2.1", {}, d.now, d.random);
  CHECK(d.all.next_at() <= d.now);
}

TEST_CASE("webhook book: a webhook has one call at a time") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.turn("ann", 2, 6);
  d.now += 10s;
  CHECK(d.next() == "ann turn 5");
  CHECK(!d.all.next(d.now));
  d.done(book::result::delivered);
  CHECK(d.next() == "ann turn 6");
}

TEST_CASE("webhook book: a call of a former registration changes nothing of the present one") {
  timed_book d;
  d.all.set(hook_of("ann"), start);
  d.turn("ann", 1, 5);
  d.now += 10s;
  CHECK(d.next() == "ann turn 5");
  d.all.set(hook_of("ann", "b.example"), d.now);
  CHECK_FALSE(d.done(book::result::gone));
  CHECK(d.all.state_of("ann")->on);
  CHECK(d.next() == "ann turn 5");
  CHECK(d.call->to.host == "b.example");
  CHECK(d.all.remove("ann"));
  CHECK_FALSE(d.done(book::result::delivered));
  CHECK(d.all.count().in_flight == 0);
  CHECK_FALSE(d.all.remove("ann"));
}

TEST_CASE("webhook book: webhooks of the hub and of an address, and events of a player, are few") {
  timed_book d;
  for (const auto* each : {"a", "b", "c", "d"}) d.all.set(hook_of(each), start);
  CHECK(d.all.why_full("e", "", start));
  CHECK_FALSE(d.all.why_full("d", "", start));
  timed_book roomy{{0s, 30s, 3, 1'000}};
  auto h = hook_of("");
  h.account = "192.0.2.7";
  for (std::size_t i = 0; i < limits::webhooks_per_address_max; ++i) {
    h.player = std::to_string(i);
    CHECK_FALSE(roomy.all.why_full(h.player, h.account, start));
    roomy.all.set(h, start);
  }
  CHECK(roomy.all.why_full("more", h.account, start));
  CHECK_FALSE(roomy.all.why_full("more", "192.0.2.8", start));
  CHECK_FALSE(roomy.all.why_full("1", h.account, start));
  CHECK(roomy.all.remove("1"));
  CHECK_FALSE(roomy.all.why_full("more", h.account, start));
  // The events of games that have ended give way, the oldest first.
  for (std::uint64_t game = 1; game <= limits::webhook_events_per_player_max + 3; ++game) {
    roomy.now += 1s;
    roomy.end("2", game);
  }
  CHECK(roomy.all.state_of("2")->waiting == limits::webhook_events_per_player_max);
  CHECK(roomy.all.count().dropped == 3);
  roomy.next();
  CHECK(roomy.call->what.game == game_id{4});
}

TEST_CASE("webhook book: what was stored goes on after a restart, and what is unused is removed") {
  timed_book before;
  before.all.set(hook_of("ann"), start);
  before.all.set(hook_of("bob", "b.example"), start);
  before.turn("ann", 1, 5);
  before.turn("ann", 2, 6);
  before.now += 10s;
  CHECK(before.next() == "ann turn 5");
  before.done(book::result::delivered);
  const auto stored = before.all.take_changes();
  CHECK(before.all.take_changes().empty());
  std::vector<hook> hooks;
  std::vector<std::pair<std::string, event>> events;
  for (const auto& [player, h] : stored.hooks) hooks.push_back(*h);
  for (const auto& [key, e] : stored.events) events.emplace_back(key.first, *e);
  timed_book after;
  after.now = before.now + 1h;
  after.all.load(hooks, events, after.now);
  after.turn("ann", 1, 5);
  CHECK(after.next() == "ann turn 6");
  after.done(book::result::delivered);
  CHECK(after.next() == "");
  timed_book late;
  late.now = start + limits::webhook_unused_max + 1h;
  late.all.load(hooks, events, late.now);
  CHECK(late.all.find("ann") == nullptr);
  CHECK(late.all.count().waiting == 0);
  CHECK(late.all.take_changes().hooks.at("ann") == std::nullopt);
}

}  // namespace gamehub::webhook
