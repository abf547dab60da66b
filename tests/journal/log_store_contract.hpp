// The contract of every log store, and of those that several members share. Each implementation
// calls these functions from a test with a place of its kind: a file, a database. Functions of one
// test.
#pragma once

#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"
#include "hub/journal/shared_log.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gamehub::tests {

// A place with logs.
struct log_place {
  // Returns an opened store with a log that is empty.
  std::function<std::unique_ptr<journal::log_store>()> open_new;
  // Ends a store, and returns what another hub then reads of its log.
  std::function<journal::log_contents(std::unique_ptr<journal::log_store>)> recover;
  // Returns a store with which that hub continues; of recover().
  std::function<journal::log_store&()> successor;
};

// A batch and what its views refer to.
class sample_batch {
 public:
  explicit sample_batch(journal::batch_number n, std::uint64_t ids = 1) {
    content_.number = n;
    content_.at = base::wall_time{std::chrono::milliseconds{static_cast<std::int64_t>(1'000 + n)}};
    content_.last = {game_id{ids}, player_id{ids * 2}};
  }

  // A game that opens with `upto` records.
  sample_batch& opens(std::uint64_t game, journal::record_number upto) {
    std::string head;
    journal::append_encoded(header(game), head);
    journal::append_entry({game_id{game}, journal::batch_entry::kind::header, 0, 0, head},
                          entries_);
    return continues(game, 1, upto);
  }
  sample_batch& continues(std::uint64_t game, journal::record_number first,
                          journal::record_number upto) {
    std::string bytes;
    for (auto n = first; n <= upto; ++n) journal::append_encoded(record_of(game, n), bytes);
    journal::append_entry(
        {game_id{game}, journal::batch_entry::kind::records, upto - first + 1, first, bytes},
        entries_);
    return *this;
  }
  // A game of `upto` records that ends here; it was open before.
  sample_batch& ends(std::uint64_t game, journal::record_number upto, bool was_kept = false,
                     base::wall_time at = base::wall_time{std::chrono::milliseconds{2'000}}) {
    journal::append_entry({game_id{game}, journal::batch_entry::kind::gone, 0, 0, {}}, entries_);
    logs_.push_back(std::make_unique<std::string>(log_until_end(game, upto, at)));
    content_.ended.push_back({game_id{game}, at, upto, *logs_.back(), was_kept});
    return *this;
  }
  sample_batch& keeps(std::uint64_t game, journal::record_number upto,
                      std::optional<std::string_view> quarantined = {}) {
    logs_.push_back(std::make_unique<std::string>(log_of_game(game, upto)));
    content_.kept.push_back({game_id{game}, upto, *logs_.back(), quarantined});
    return *this;
  }
  sample_batch& releases(std::uint64_t game, journal::record_number upto, bool was_kept = false) {
    journal::append_entry({game_id{game}, journal::batch_entry::kind::gone, 0, 0, {}}, entries_);
    logs_.push_back(std::make_unique<std::string>(log_of_game(game, upto)));
    content_.released.push_back({game_id{game}, upto, *logs_.back(), was_kept, false, {}});
    return *this;
  }
  // The game goes with a suspicion and these keys.
  sample_batch& releases_suspect(std::uint64_t game, journal::record_number upto,
                                 std::vector<std::string> keys) {
    releases(game, upto);
    content_.released.back().suspected = true;
    content_.released.back().keys = std::move(keys);
    return *this;
  }
  // With these keys of the member.
  sample_batch& releases_own(std::uint64_t game, journal::record_number upto,
                             std::vector<std::string> keys) {
    releases(game, upto);
    content_.released.back().keys = std::move(keys);
    content_.released.back().own_keys = true;
    return *this;
  }
  // The game falls asleep, and is due at this millisecond.
  sample_batch& sleeps(std::uint64_t game, journal::record_number upto, std::int64_t due,
                       std::vector<std::string> keys, bool was_kept = false) {
    journal::append_entry({game_id{game}, journal::batch_entry::kind::gone, 0, 0, {}}, entries_);
    logs_.push_back(std::make_unique<std::string>(log_of_game(game, upto)));
    rows_.push_back(std::make_unique<journal::sleep_entry>(
        journal::sleep_entry{game_id{game},
                             {},
                             base::wall_time{std::chrono::milliseconds{due}},
                             "tictactoe",
                             std::move(keys),
                             1}));
    content_.asleep.push_back({game_id{game}, upto, *logs_.back(), rows_.back().get(), was_kept});
    return *this;
  }
  sample_batch& marks(std::uint64_t game, bool announced) {
    content_.suspicions.push_back({game_id{game}, announced});
    return *this;
  }
  sample_batch& frees(journal::batch_number below) {
    content_.free_below = below;
    return *this;
  }
  sample_batch& holds(std::string_view text) {
    entries_ += text;
    return *this;
  }

  const journal::log_batch& content() {
    content_.entries = entries_;
    content_.sum =
        journal::sum_of_batch(content_.number, content_.at, content_.last, content_.entries);
    return content_;
  }

 private:
  static std::string log_of_game(std::uint64_t game, journal::record_number upto) {
    std::string log;
    journal::append_encoded(header(game), log);
    for (journal::record_number n = 1; n <= upto; ++n)
      journal::append_encoded(record_of(game, n), log);
    return log;
  }
  static std::string log_until_end(std::uint64_t game, journal::record_number upto,
                                   base::wall_time at) {
    auto log = log_of_game(game, upto - 1);
    journal::append_encoded(end_of(game, upto, at), log);
    return log;
  }

  journal::log_batch content_;
  std::string entries_;
  std::vector<std::unique_ptr<std::string>> logs_;
  std::vector<std::unique_ptr<journal::sleep_entry>> rows_;
};

// The games of these tests.
inline std::vector<std::string> engine_of_samples() {
  return {journal::engine_name("tictactoe", "1.0.0")};
}

// Takes games that are asleep. Returns their ids; nothing: it is not certain.
inline std::optional<std::vector<std::uint64_t>> takes(journal::shared_log& by,
                                                       journal::sleeper_query what) {
  if (what.engines.empty()) what.engines = engine_of_samples();
  const auto found = by.take_asleep(what);
  if (!found) return std::nullopt;
  std::vector<std::uint64_t> ids;
  for (const auto& [id, log] : found->games) ids.push_back(id.value);
  return ids;
}

// Appends until the outcome is known, as the writer does.
inline journal::append_result append_known(journal::log_store& to, const journal::log_batch& b) {
  journal::append_result result;
  for (int tries = 0; tries < 5 && result.what == journal::append_outcome::unknown; ++tries)
    result = append_surely(to, b);
  if (result.what != journal::append_outcome::written && result.why.empty())
    throw std::logic_error{"a batch that is not written has no reason"};
  return result;
}

inline bool stores(journal::log_store& to, sample_batch&& b) {
  return append_known(to, b.content()).what == journal::append_outcome::written;
}

inline std::vector<journal::record> records_in(const journal::log_contents& all,
                                               std::uint64_t game) {
  const auto at = all.logs.games.find(game_id{game});
  return at == all.logs.games.end() ? std::vector<journal::record>{}
                                    : journal::records_of(at->second.bytes, at->second.records, 0);
}

inline void check_appends(const log_place& place) {
  using journal::append_outcome;
  const auto store = place.open_new();
  CHECK_FALSE(store->find_batch(1));
  sample_batch first{1}, same{2}, other{2, 7}, later{4};
  first.opens(1, 3);
  CHECK(store->append(first.content()).what == append_outcome::written);
  CHECK(store->find_batch(1) == first.content().sum);
  CHECK_FALSE(store->find_batch(2));
  // A batch without its predecessor is refused, and is not there afterwards.
  CHECK(append_known(*store, later.content()).what == append_outcome::conflict);
  CHECK_FALSE(store->find_batch(4));
  same.continues(1, 4, 5);
  CHECK(append_known(*store, same.content()).what == append_outcome::written);
  // The same batch again is there once, and counts as written; another one does not replace it.
  CHECK(append_known(*store, same.content()).what == append_outcome::written);
  CHECK(append_known(*store, other.content()).what == append_outcome::conflict);
  CHECK(append_known(*store, first.content()).what != append_outcome::unknown);
  CHECK(store->find_batch(2) == same.content().sum);
  CHECK(stores(*store, std::move(sample_batch{3}.continues(1, 6, 6))));
  CHECK(store->bytes_used() < 1'000'000'000);
}

inline void check_recovers(const log_place& place) {
  auto store = place.open_new();
  REQUIRE(stores(*store, std::move(sample_batch{1, 1}.opens(1, 3).opens(2, 1))));
  REQUIRE(stores(*store, std::move(sample_batch{2, 3}.continues(1, 4, 9).opens(3, 2))));
  REQUIRE(stores(*store, std::move(sample_batch{3, 900}.continues(2, 2, 4).ends(3, 3))));
  store->maintain();
  const auto found = place.recover(std::move(store));
  CHECK_FALSE(found.logs.damage);
  CHECK(found.logs.games.size() == 2);
  CHECK(records_in(found, 1).size() == 9);
  CHECK(in_order(1, records_in(found, 1)));
  CHECK(records_in(found, 2).size() == 4);
  CHECK(in_order(2, records_in(found, 2)));
  CHECK(found.logs.last.game == game_id{900});
  CHECK(found.logs.last.player == player_id{1'800});
  CHECK(found.logs.last_written == base::wall_time{std::chrono::milliseconds{1'003}});
  CHECK(found.ended == 1);
  CHECK(found.suspicions.empty());
  CHECK(place.successor().read(game_id{3}, 0).size() == 3);
}

inline void check_archives(const log_place& place) {
  const auto store = place.open_new();
  const auto days = [](int n) { return base::wall_time{std::chrono::days{n}}; };
  CHECK(store->ended_before(game_id{~std::uint64_t{0}}, 9).empty());
  sample_batch all{1, 9};
  all.ends(9, 5, false, days(3)).ends(4, 2, false, days(4)).ends(7, 3, false, days(8));
  all.keeps(5, 4, "a test").keeps(6, 4);
  REQUIRE(append_known(*store, all.content()).what == journal::append_outcome::written);
  using list = std::vector<game_id>;
  CHECK(store->ended_before(game_id{~std::uint64_t{0}}, 9) ==
        list{game_id{9}, game_id{7}, game_id{4}});
  CHECK(store->ended_before(game_id{9}, 1) == list{game_id{7}});
  CHECK(store->ended_before(game_id{4}, 9).empty());
  const auto game = store->find_ended(game_id{9});
  REQUIRE(game);
  CHECK(game->header.id == game_id{9});
  CHECK(game->records.size() == 5);
  CHECK(in_order(9, game->records));
  CHECK(store->read(game_id{9}, 3).size() == 2);
  // A game in quarantine can be read; it has not ended. An open one is not read here.
  CHECK_FALSE(store->find_ended(game_id{5}));
  CHECK(in_order(5, store->read(game_id{5}, 0)));
  CHECK(store->read(game_id{5}, 0).size() == 4);
  CHECK(store->read(game_id{6}, 0).empty());
  CHECK(store->read(game_id{1}, 0).empty());
  CHECK(store->delete_ended(days(3), 10) == 0);
  CHECK(store->delete_ended(days(9), 1) == 1);
  CHECK_FALSE(store->find_ended(game_id{9}));
  CHECK(store->delete_ended(days(5), 10) == 1);
  CHECK(store->ended_before(game_id{9}, 9) == list{game_id{7}});
}

inline void check_keeps_and_frees(const log_place& place) {
  using journal::append_outcome;
  auto store = place.open_new();
  REQUIRE(stores(*store, std::move(sample_batch{1, 3}.opens(1, 3).opens(2, 4).opens(3, 2))));
  sample_batch kept{2, 3};
  kept.ends(3, 3).keeps(1, 3);
  REQUIRE(append_known(*store, kept.content()).what == append_outcome::written);
  REQUIRE(stores(*store, std::move(sample_batch{3, 3}.keeps(2, 4, "a test").marks(1, true))));
  REQUIRE(stores(*store, std::move(sample_batch{4, 3}.continues(1, 4, 5).frees(4).marks(9, true))));
  CHECK_FALSE(store->find_batch(3));
  CHECK(store->find_batch(4));
  REQUIRE(
      stores(*store, std::move(sample_batch{5, 3}.continues(1, 6, 6).keeps(1, 6).marks(9, false))));
  // All batches before this one can go: it is their successor all the same.
  REQUIRE(stores(*store, std::move(sample_batch{6, 3}.frees(6))));
  CHECK(stores(*store, std::move(sample_batch{7, 3}.continues(1, 7, 7))));
  // A batch that was deleted is not written again: its logs are older than those that are there.
  CHECK(append_known(*store, kept.content()).what == append_outcome::conflict);
  CHECK_FALSE(store->find_batch(2));
  CHECK(stores(*store, sample_batch{8, 3}));
  const auto found = place.recover(std::move(store));
  CHECK_FALSE(found.logs.damage);
  CHECK(records_in(found, 1).size() == 7);
  CHECK(in_order(1, records_in(found, 1)));
  REQUIRE(found.logs.games.contains(game_id{2}));
  CHECK(found.logs.games.at(game_id{2}).quarantined == "a test");
  CHECK(found.quarantined == 1);
  CHECK_FALSE(found.logs.games.contains(game_id{3}));
  CHECK(found.suspicions == std::unordered_map<game_id, int>{{game_id{1}, 1}});
}

inline void check_bytes(const log_place& place) {
  auto store = place.open_new();
  std::string bytes;
  for (int i = 0; i < 1 << 20; ++i) bytes += static_cast<char>(i ^ (i >> 8));
  sample_batch big{1};
  std::string entry;
  journal::append_entry({game_id{1}, journal::batch_entry::kind::header, 0, 0, bytes}, entry);
  REQUIRE(append_known(*store, big.holds(entry).content()).what ==
          journal::append_outcome::written);
  const auto found = place.recover(std::move(store));
  CHECK_FALSE(found.logs.damage);
  REQUIRE(found.logs.games.size() == 1);
  CHECK(found.logs.games.at(game_id{1}).bytes == bytes);
}

// What every log store keeps.
inline void check_log_store(const std::function<log_place()>& make) {
  SECTION("appends in order, and each batch once") { check_appends(make()); }
  SECTION("another hub reads what was written") { check_recovers(make()); }
  SECTION("ended games are archived, found and deleted") { check_archives(make()); }
  SECTION("logs are kept, and batches freed") { check_keeps_and_frees(make()); }
  SECTION("any bytes come back unchanged") { check_bytes(make()); }
}

// Changes keys until the outcome is known, as a hub does. Returns nothing if it never is.
using key_kind = journal::key_change::kind;
inline std::optional<std::vector<std::string>> changed(journal::shared_log& of,
                                                       const journal::key_change& what) {
  std::optional<std::vector<std::string>> owned;
  for (int tries = 0; tries < 5 && !owned; ++tries) owned = of.change_keys(what);
  return owned;
}
inline std::set<std::string> claimed(journal::shared_log& by, std::vector<std::string> keys,
                                     key_kind how = key_kind::claim) {
  const auto owned = changed(by, {how, std::move(keys)});
  if (!owned) throw std::logic_error{"keys were not claimed"};
  return {owned->begin(), owned->end()};
}

// What stores keep that several members share. `open` opens one more member.
// What is common to the sections of the next one: games 7 and 8 are asleep, 9 is open.
inline void fall_asleep(journal::shared_log& at) {
  using kind = journal::key_change::kind;
  REQUIRE(at.change_keys({kind::claim, {"nann", "dann", "nbob"}}));
  REQUIRE(stores(at, std::move(sample_batch{1}.opens(7, 4).opens(8, 4).opens(9, 4).keeps(7, 4))));
  REQUIRE(stores(at, std::move(sample_batch{2}
                                   .sleeps(7, 4, 100, {"nann", "dann"}, true)
                                   .sleeps(8, 4, 50, {"dbob", "dann"}))));
  REQUIRE(at.change_keys({kind::free, {"nann", "dann", "nbob"}}));
}

// Games that are asleep in a log that members share.
inline void check_shared_sleepers(
    const std::function<std::unique_ptr<journal::shared_log>()>& open) {
  using kind = journal::key_change::kind;
  using ids = std::vector<std::uint64_t>;
  const auto at = [](std::int64_t ms) { return base::wall_time{std::chrono::milliseconds{ms}}; };
  const auto a = open(), b = open(), c = open();
  fall_asleep(*a);

  SECTION("they are in the log of no member, and no adoption touches them") {
    REQUIRE(c->adopt(a->self()) == journal::adoption::adopted);
    const auto found = c->recover(a->self());
    CHECK(found.logs.games.size() == 1);
    CHECK(records_in(found, 9).size() == 4);
    CHECK(c->release(std::array{a->self()}));
    const auto row = b->read_asleep(game_id{7});
    REQUIRE(row);
    CHECK(in_order(7, journal::records_of(row->bytes, row->records, 0)));
    CHECK(row->due == at(100));
    CHECK(row->to_move == seat_set{1});
    CHECK_FALSE(b->read_asleep(game_id{9}));
    CHECK(takes(*a, {.game = {7}}) == std::nullopt);
    CHECK(takes(*b, {.game = {7}}) == ids{7});
  }
  SECTION("one member takes a game, and has it as its other games") {
    const auto found = b->take_asleep({.game = {7}, .engines = engine_of_samples()});
    REQUIRE(found);
    REQUIRE(found->games.size() == 1);
    const auto& log = found->games.front().second;
    CHECK(in_order(7, journal::records_of(log.bytes, log.records, 0)));
    CHECK(log.records == 4);
    CHECK(log.due == at(100));
    CHECK(log.to_move == seat_set{1});
    CHECK_FALSE(log.damaged);
    CHECK(found->next_due == at(50));
    CHECK(takes(*c, {.game = {7}}) == ids{});
    CHECK(takes(*b, {.game = {7}}) == ids{});
    CHECK_FALSE(c->read_asleep(game_id{7}));
    // It is there if the member dies now.
    REQUIRE(c->adopt(b->self()) == journal::adoption::adopted);
    CHECK(in_order(7, records_in(c->recover(b->self()), 7)));
    CHECK(records_in(c->recover(b->self()), 7).size() == 4);
  }
  SECTION("it falls asleep again where it was taken") {
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    REQUIRE(stores(*b, std::move(sample_batch{1}.continues(7, 5, 5))));
    REQUIRE(stores(*b, std::move(sample_batch{2}.sleeps(7, 5, 200, {"dann"}, true))));
    REQUIRE(a->adopt(b->self()) == journal::adoption::adopted);
    CHECK(a->recover(b->self()).logs.games.empty());
    const auto again = a->take_asleep({.game = {7}, .engines = engine_of_samples()});
    REQUIRE(again);
    REQUIRE(again->games.size() == 1);
    CHECK(again->games.front().second.records == 5);
    // Its former life here does not hide it.
    REQUIRE(c->adopt(a->self()) == journal::adoption::adopted);
    CHECK(records_in(c->recover(a->self()), 7).size() == 5);
  }
  SECTION("they are found by keys, by engine and by the time when they are due") {
    CHECK(takes(*b, {.keys = {"dann"}, .engines = {"chess 1"}, .most = 9}) == ids{});
    CHECK(b->take_asleep({.keys = {"dann"}, .engines = {"chess 1"}, .most = 9})->more);
    CHECK(takes(*b, {.keys = {"dann"}, .most = 0}) == ids{});
    CHECK(b->take_asleep({.keys = {"dann"}, .engines = engine_of_samples(), .most = 0})->more);
    CHECK_FALSE(
        b->take_asleep({.keys = {"dcid"}, .engines = engine_of_samples(), .most = 0})->more);
    CHECK(takes(*b, {.game = {9}}) == ids{});
    CHECK(takes(*b, {.game = {7}, .keys = {"dbob"}}) == ids{});
    CHECK(takes(*b, {.due = at(49), .most = 9}) == ids{});
    CHECK(b->take_asleep({.due = at(49), .engines = engine_of_samples()})->next_due == at(50));
    CHECK_FALSE(b->take_asleep({.due = at(49), .engines = {"chess 1"}})->next_due);
    CHECK(b->asleep_before("", {100}, 9) == std::vector<game_id>{{8}, {7}});
    CHECK(b->asleep_before("tictactoe", {8}, 9) == std::vector<game_id>{{7}});
    CHECK(b->asleep_before("chess", {8}, 9).empty());
    CHECK(b->asleep_with("dann", 9).size() == 2);
    CHECK(b->asleep_with("dann", 1).size() == 1);
    CHECK(b->asleep_with("dbob", 9) == std::vector<game_id>{{8}});
    CHECK(takes(*b, {.due = at(100), .most = 1}) == ids{8});
    CHECK(takes(*b, {.keys = {"dann", "dcid"}, .most = 9}) == ids{7});
    CHECK_FALSE(b->take_asleep({.due = at(100), .engines = engine_of_samples()})->next_due);
  }
  SECTION("the keys of their players stay taken, and go to who takes the game") {
    // No game is asleep under the name of bob.
    CHECK(c->change_keys({kind::claim, {"nann", "nbob"}}) == std::vector<std::string>{"nbob"});
    CHECK(b->take_asleep({.keys = {"dann"}})->elsewhere == journal::member_id{});
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    CHECK(c->change_keys({kind::inherit, {"nann", "dann"}})->empty());
    CHECK(c->take_asleep({.keys = {"nann"}})->elsewhere == b->self());
    // No new player gets them where the game is, before those of the game have them.
    CHECK(b->change_keys({kind::claim, {"nann", "dann"}})->empty());
    CHECK(b->change_keys({kind::inherit, {"nann", "dann"}})->size() == 2);
    CHECK(b->change_keys({kind::claim, {"nann"}}) == std::vector<std::string>{"nann"});
    // Game 8 sleeps under one of them still.
    REQUIRE(b->change_keys({kind::free, {"nann", "dann"}}));
    CHECK(c->change_keys({kind::claim, {"nann", "dann"}}) == std::vector<std::string>{"nann"});
    CHECK(c->change_keys({kind::inherit, {"dann"}}) == std::vector<std::string>{"dann"});
  }
  SECTION("the hub of a player has its games, unless it comes too late") {
    REQUIRE(b->change_keys({kind::inherit, {"dann"}}));
    const journal::sleeper_query ours{
        .game = {7}, .engines = engine_of_samples(), .only_ours = true};
    CHECK(takes(*c, ours) == ids{});
    CHECK(c->take_asleep(ours)->elsewhere == b->self());
    CHECK(takes(*c, {.due = at(100), .most = 9}) == ids{});
    CHECK(takes(*b, ours) == ids{7});
    CHECK(takes(*c, {.due = at(10'049), .most = 9}) == ids{});
    CHECK(takes(*c, {.due = at(10'050), .most = 9}) == ids{8});
  }
  SECTION("keys of a member that died stay taken if a game is asleep under them") {
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    REQUIRE(c->adopt(b->self()) == journal::adoption::adopted);
    REQUIRE(c->release(std::array{b->self()}));
    REQUIRE(c->change_keys({kind::free, {}, true}));
    CHECK(a->change_keys({kind::claim, {"nann", "dann"}}) == std::vector<std::string>{"nann"});
  }
  SECTION("keys that a member still has when it takes a game are not freed for it") {
    REQUIRE(b->change_keys({kind::inherit, {"nann"}}));
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    REQUIRE(b->change_keys({kind::free, {"nann"}}));
    CHECK(c->change_keys({kind::claim, {"nann"}})->empty());
    CHECK(b->change_keys({kind::inherit, {"nann"}})->size() == 1);
  }
  SECTION("keys of a game that a member took before it died are those of its adopter") {
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    CHECK(c->change_keys({kind::inherit, {"nann", "dann"}})->empty());
    REQUIRE(c->adopt(b->self()) == journal::adoption::adopted);
    CHECK(c->change_keys({kind::claim, {"nann", "dann"}})->empty());
    CHECK(c->change_keys({kind::inherit, {"nann", "dann"}})->size() == 2);
  }
  SECTION("a game that was taken and goes to another member takes its keys with it") {
    REQUIRE(takes(*b, {.game = {7}}) == ids{7});
    REQUIRE(stores(*b, std::move(sample_batch{1}.releases_own(7, 4, {"nann", "dann"}))));
    const auto parcel = b->take_asleep({.keys = {"nann"}})->elsewhere;
    CHECK(parcel != journal::member_id{});
    REQUIRE(c->adopt(parcel) == journal::adoption::adopted);
    CHECK(c->change_keys({kind::inherit, {"nann", "dann"}})->size() == 2);
  }
}

inline void check_shared_log(const std::function<std::unique_ptr<journal::shared_log>()>& open) {
  using journal::adoption;
  using journal::append_outcome;
  const auto a = open(), b = open(), c = open();
  CHECK(std::set<journal::member_id>{{}, a->self(), b->self(), c->self()}.size() == 4);

  SECTION("members have logs that do not touch each other") {
    CHECK(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
    CHECK(stores(*b, std::move(sample_batch{1}.opens(2, 2))));
    CHECK(stores(*b, std::move(sample_batch{2}.continues(2, 3, 4))));
    CHECK_FALSE(a->find_batch(2));
    REQUIRE(c->adopt(b->self()) == adoption::adopted);
    const auto found = c->recover(b->self());
    CHECK(found.logs.games.size() == 1);
    CHECK(in_order(2, records_in(found, 2)));
    CHECK(records_in(found, 2).size() == 4);
    CHECK(stores(*a, std::move(sample_batch{2}.continues(1, 4, 4))));
  }
  SECTION("an adopted member can't append, and its adopter reads all that it wrote") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
    REQUIRE(b->adopt(a->self()) == adoption::adopted);
    sample_batch late{2};
    late.continues(1, 4, 4);
    CHECK(append_known(*a, late.content()).what == append_outcome::fenced);
    // Nor does a batch that it had written count any more as new.
    CHECK(append_known(*a, sample_batch{1}.opens(1, 3).content()).what == append_outcome::fenced);
    CHECK_FALSE(a->find_batch(2));
    CHECK(records_in(b->recover(a->self()), 1).size() == 3);
    CHECK(stores(*b, std::move(sample_batch{1}.opens(9, 1))));
  }
  SECTION("one member owns a log, and says so each time") {
    CHECK(b->adopt(a->self()) == adoption::adopted);
    CHECK(b->adopt(a->self()) == adoption::adopted);
    CHECK(c->adopt(a->self()) == adoption::taken);
    CHECK(a->adopt(c->self()) == adoption::fenced);
    CHECK(b->adopt(journal::member_id{1'000'000}) == adoption::absent);
    CHECK(stores(*c, std::move(sample_batch{1}.opens(1, 1))));
  }
  SECTION("an adopter that is adopted leaves a chain") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
    REQUIRE(b->adopt(a->self()) == adoption::adopted);
    REQUIRE(c->adopt(b->self()) == adoption::adopted);
    CHECK(c->adopt(a->self()) == adoption::adopted);
    CHECK(b->adopt(a->self()) == adoption::fenced);
    CHECK(records_in(c->recover(a->self()), 1).size() == 3);
  }
  SECTION("the logs of a member fall to its owner until they are released") {
    using members = std::vector<journal::member_id>;
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3).opens(2, 2).opens(3, 2))));
    REQUIRE(b->adopt(a->self()) == adoption::adopted);
    CHECK(b->logs_of(a->self()) == members{a->self()});
    // One that went on at its owner and ended, one in quarantine, one still untouched.
    REQUIRE(stores(*b, std::move(sample_batch{1}.ends(1, 4))));
    REQUIRE(stores(*b, std::move(sample_batch{2}.keeps(2, 2, "no good"))));
    REQUIRE(c->adopt(b->self()) == adoption::adopted);
    CHECK(c->logs_of(b->self()) == members{b->self(), a->self()});
    const auto found = c->recover(a->self());
    CHECK(found.logs.games.size() == 1);
    CHECK(records_in(found, 3).size() == 2);
    const members both{b->self(), a->self()};
    CHECK_FALSE(b->release(both));  // it is adopted itself
    REQUIRE(c->release(both));
    CHECK(c->recover(a->self()).logs.games.empty());
    CHECK(c->logs_of(b->self()) == members{b->self()});
    CHECK(c->read(game_id{2}, 0).size() == 2);
    CHECK(append_known(*a, sample_batch{2}.content()).what == append_outcome::fenced);
  }
  SECTION("released games are the log of a member that has left, in one batch or not at all") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3).opens(2, 2).opens(3, 4).keeps(2, 2))));
    sample_batch releasing{2};
    releasing.releases(1, 3).releases(2, 2, true);
    REQUIRE(append_known(*a, releasing.content()).what == append_outcome::written);
    // Once more, it is there already.
    REQUIRE(append_known(*a, releasing.content()).what == append_outcome::written);
    const journal::member_id parcel{c->self().value + 1};
    REQUIRE(b->adopt(parcel) == adoption::adopted);
    CHECK(b->adopt(journal::member_id{parcel.value + 1}) == adoption::absent);
    CHECK(b->logs_of(parcel) == std::vector{parcel});
    const auto found = b->recover(parcel);
    CHECK(found.logs.games.size() == 2);
    CHECK(in_order(1, records_in(found, 1)));
    CHECK(records_in(found, 1).size() == 3);
    CHECK(records_in(found, 2).size() == 2);
    REQUIRE(b->release(std::vector{parcel}));
    // The member itself goes on with the rest.
    CHECK(stores(*a, std::move(sample_batch{3}.continues(3, 5, 5))));
    REQUIRE(c->adopt(a->self()) == adoption::adopted);
    const auto rest = c->recover(a->self());
    CHECK(rest.logs.games.size() == 1);
    CHECK(records_in(rest, 3).size() == 5);
    // A fenced member releases nothing.
    CHECK(append_known(*a, sample_batch{4}.releases(3, 5).content()).what ==
          append_outcome::fenced);
    CHECK(b->adopt(journal::member_id{parcel.value + 1}) == adoption::absent);
  }
  SECTION("a released game that comes back is in the log again") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3).opens(2, 2))));
    REQUIRE(stores(*a, std::move(sample_batch{2}.releases(1, 3).releases(2, 2))));
    const journal::member_id parcel{c->self().value + 1};
    REQUIRE(b->adopt(parcel) == adoption::adopted);
    REQUIRE(stores(*b, std::move(sample_batch{1}.keeps(1, 3).keeps(2, 2))));
    REQUIRE(b->release(std::vector{parcel}));
    REQUIRE(a->adopt(b->self()) == adoption::adopted);
    REQUIRE(stores(*a, std::move(sample_batch{3}.keeps(1, 3).keeps(2, 2))));
    REQUIRE(a->release(std::vector{b->self()}));
    REQUIRE(stores(*a, std::move(sample_batch{4}.continues(1, 4, 5).ends(2, 3, true))));
    REQUIRE(c->adopt(a->self()) == adoption::adopted);
    const auto found = c->recover(a->self());
    CHECK_FALSE(found.logs.damage);
    CHECK(found.logs.games.size() == 1);
    CHECK(in_order(1, records_in(found, 1)));
    CHECK(records_in(found, 1).size() == 5);
  }
  SECTION("a released game takes its suspicion and keys of adopted members with it") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3).opens(2, 2))));
    REQUIRE(claimed(*a, {"absent", "plays", "idle"}).size() == 3);
    REQUIRE(claimed(*c, {"elsewhere"}).size() == 1);
    REQUIRE(b->adopt(a->self()) == adoption::adopted);
    REQUIRE(claimed(*b, {"plays"}, key_kind::inherit).size() == 1);
    REQUIRE(stores(*b, std::move(sample_batch{1}.keeps(1, 3).keeps(2, 2))));
    REQUIRE(b->release(std::vector{a->self()}));
    REQUIRE(stores(*b, std::move(sample_batch{2}.releases(2, 2).releases_suspect(
                           1, 3, {"absent", "plays", "elsewhere"}))));
    REQUIRE(changed(*b, {key_kind::free, {}, true}));
    // Nothing else is freed late, and nothing of those who live is taken.
    CHECK(claimed(*c, {"absent", "plays", "idle", "elsewhere"}) ==
          std::set<std::string>{"idle", "elsewhere"});
    const journal::member_id parcel{c->self().value + 1};
    REQUIRE(c->adopt(parcel) == adoption::adopted);
    const auto found = c->recover(parcel);
    CHECK(found.logs.games.size() == 2);
    CHECK(found.suspicions == std::unordered_map<game_id, int>{{game_id{1}, 1}});
    CHECK(claimed(*c, {"absent", "plays"}, key_kind::inherit) == std::set<std::string>{"absent"});
  }
  SECTION("a released game takes keys of this member with it") {
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
    REQUIRE(claimed(*a, {"plays", "idle"}).size() == 2);
    REQUIRE(claimed(*c, {"elsewhere"}).size() == 1);
    REQUIRE(stores(*a, std::move(sample_batch{2}.releases_own(1, 3, {"plays", "elsewhere"}))));
    CHECK(claimed(*b, {"plays", "idle", "elsewhere"}).empty());
    const journal::member_id parcel{c->self().value + 1};
    REQUIRE(b->adopt(parcel) == adoption::adopted);
    CHECK(claimed(*b, {"plays", "idle", "elsewhere"}, key_kind::inherit) ==
          std::set<std::string>{"plays"});
  }
  SECTION("a released game takes keys with it that a member had whom this one has adopted") {
    REQUIRE(claimed(*b, {"late", "idle"}).size() == 2);
    REQUIRE(a->adopt(b->self()) == adoption::adopted);
    REQUIRE(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
    REQUIRE(stores(*a, std::move(sample_batch{2}.releases_own(1, 3, {"late"}))));
    CHECK(claimed(*a, {"late"}, key_kind::inherit).empty());
    const journal::member_id parcel{c->self().value + 1};
    REQUIRE(c->adopt(parcel) == adoption::adopted);
    CHECK(claimed(*c, {"late", "idle"}, key_kind::inherit) == std::set<std::string>{"late"});
  }
  SECTION("a key is of one member until that frees it") {
    CHECK(claimed(*a, {"n-ann", "d-1", std::string{"\0\xff\"\\{,", 7}}) ==
          std::set<std::string>{"n-ann", "d-1", std::string{"\0\xff\"\\{,", 7}});
    // Once more, or beside a key that another one has.
    CHECK(claimed(*a, {"n-ann"}) == std::set<std::string>{"n-ann"});
    CHECK(claimed(*b, {"n-bob", "n-ann", "n-carl", "n-bob"}) ==
          std::set<std::string>{"n-bob", "n-carl"});
    CHECK(claimed(*b, {}).empty());
    // Only its owner frees it; the log has nothing to do with it.
    CHECK(changed(*b, {key_kind::free, {"n-ann", "n-carl", "unknown"}, true}));
    CHECK(claimed(*c, {"n-ann", "n-carl"}) == std::set<std::string>{"n-carl"});
    CHECK(changed(*a, {key_kind::free, {"n-ann"}}));
    CHECK(claimed(*c, {"n-ann", "d-1"}) == std::set<std::string>{"n-ann"});
    CHECK(stores(*a, std::move(sample_batch{1}.opens(1, 3))));
  }
  SECTION("a key that one member gives to another one is taken from that one alone") {
    REQUIRE(claimed(*a, {"n-ann", "d-1"}).size() == 2);
    REQUIRE(claimed(*c, {"n-carl"}).size() == 1);
    const auto taken =
        changed(*b, {key_kind::claim, {"n-ann", "d-1", "n-carl", "n-new"}, false, a->self()});
    REQUIRE(taken);
    CHECK(std::set<std::string>(taken->begin(), taken->end()) ==
          std::set<std::string>{"n-ann", "d-1", "n-new"});
    // Its former owner has it no more, and can't free it.
    CHECK(changed(*a, {key_kind::free, {"n-ann", "d-1"}}));
    CHECK(claimed(*a, {"n-ann", "d-1"}).empty());
    CHECK(changed(*b, {key_kind::free, {"n-ann"}}));
    CHECK(claimed(*c, {"n-ann", "d-1"}) == std::set<std::string>{"n-ann"});
  }
  SECTION("the keys of a dead member are its adopter's, or are freed with its log") {
    REQUIRE(claimed(*a, {"plays", "idle", "late"}).size() == 3);
    // Who is alive keeps them.
    CHECK(claimed(*b, {"plays"}, key_kind::inherit).empty());
    REQUIRE(b->adopt(a->self()) == adoption::adopted);
    CHECK_FALSE(changed(*a, {key_kind::claim, {"fenced"}}));
    CHECK_FALSE(changed(*a, {key_kind::free, {"idle"}}));
    CHECK(claimed(*c, {"plays"}, key_kind::inherit).empty());
    CHECK(claimed(*b, {"plays"}).empty());
    CHECK(claimed(*b, {"plays", "fenced"}, key_kind::inherit).size() == 2);
    CHECK(changed(*b, {key_kind::free, {}, true}));
    CHECK(claimed(*c, {"idle"}).empty());
    REQUIRE(b->release(std::vector{a->self()}));
    CHECK(claimed(*c, {"idle"}).empty());
    // Its owner dies before it has done the rest.
    REQUIRE(c->adopt(b->self()) == adoption::adopted);
    CHECK(claimed(*c, {"late"}, key_kind::inherit).size() == 1);
    CHECK(changed(*c, {key_kind::free, {}, true}));
    const auto d = open();
    CHECK(claimed(*d, {"plays", "idle", "late"}).empty());
    REQUIRE(c->release(std::vector{b->self()}));
    CHECK(changed(*c, {key_kind::free, {}, true}));
    CHECK(claimed(*d, {"plays", "idle", "late"}) == std::set<std::string>{"plays", "idle"});
  }
  SECTION("ids are claimed once") {
    std::set<std::uint64_t> firsts;
    for (int i = 0; i < 5; ++i)
      for (auto* one : {a.get(), b.get(), c.get()}) {
        const auto block = one->claim_ids(journal::id_kind::games);
        REQUIRE(block);
        CHECK(block->size == journal::id_block_size);
        CHECK(block->first % block->size == 1);
        CHECK(block->first + block->size < std::uint64_t{1} << 53);
        firsts.insert(block->first);
      }
    CHECK(firsts.size() == 15);
    CHECK(a->claim_ids(journal::id_kind::players)->first == 1);
  }
}

}  // namespace gamehub::tests
