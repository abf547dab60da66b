// A shared log in memory with the faults of a real database: answers that are lost, statements that
// are executed after their connection was cut, rows that are visible and not yet on the standby,
// and a promotion that takes them away. fake_database is the database; each fake_log is the
// connection of one member. Any thread; the hook runs without a lock, so it can act as another
// member between any two steps.
#pragma once

#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"
#include "hub/journal/shared_log.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

// What happens to one statement that writes.
enum class log_fault : std::uint8_t {
  none,
  refused,        // it is not executed, and the answer says that it failed
  late,           // the connection is cut, and the statement is executed at deliver()
  answer_lost,    // it is executed, and the answer is an error
  not_replicated  // it is executed and visible, not yet on the standby, and the answer is a warning
};

class fake_database {
 public:
  using batch_number = journal::batch_number;

  struct stored_batch {
    base::wall_time at{};
    journal::journal::numbers last;
    std::int64_t sum = 0;
    std::string entries;
  };
  struct stored_game {
    base::wall_time ended{};
    journal::record_number records = 0;
    std::string log;
  };
  struct stored_kept {
    journal::record_number records = 0;
    std::string log;
    std::optional<std::string> quarantined;
  };
  struct stored_sleeper {
    journal::record_number records = 0;
    std::string log, engine, listed;
    base::wall_time due{};
    seat_set to_move = 0;
    std::vector<std::string> keys;
  };
  struct taken_game {
    std::uint64_t try_number = 0;
    base::wall_time due{};
    seat_set to_move = 0;
  };
  struct member {
    std::optional<journal::member_id> adopted_by;
    std::map<batch_number, stored_batch> batches;
    batch_number freed = 0;
    std::map<game_id, stored_kept> kept;
    std::set<game_id> announced;
    std::set<std::string> needs;  // engines of the games that were handed over to it
    bool released = false;
    std::uint64_t takes = 0;  // the number of the latest try to take games that are asleep
    std::map<game_id, taken_game> taken;
  };
  struct state {
    std::map<journal::member_id, member> members;
    std::vector<std::pair<game_id, stored_game>> games;  // in the order of their ends
    std::map<journal::id_kind, std::uint64_t> ids;
    std::map<std::string, journal::member_id> keys;  // by key: who has it
    std::map<game_id, stored_sleeper> asleep;
    std::map<journal::member_id, std::uint64_t> key_tries;  // the number of the latest change
    std::uint64_t writes = 0;                               // of confirm()
  };
  // Who has the keys of games that are asleep.
  static constexpr journal::member_id no_member{~std::uint64_t{0}};
  // Who has those of a game that this member has taken, until it asks for them.
  static journal::member_id taker(journal::member_id m) { return {~m.value}; }
  // The member itself, of both: zero for no_member.
  static journal::member_id real(journal::member_id m) { return std::min(m, taker(m)); }
  // A transaction. Returns false if it changed nothing.
  using statement = std::function<bool(state&)>;

  // Executes a statement with a fault. Returns its answer, or nothing if the answer is an error.
  std::optional<bool> execute(const statement& s, log_fault fault) {
    const std::lock_guard lock{mutex_};
    switch (fault) {
      case log_fault::refused: return std::nullopt;
      case log_fault::late: late_.push_back(s); return std::nullopt;
      case log_fault::answer_lost: run(s, true); return std::nullopt;
      case log_fault::not_replicated: run(s, false); return std::nullopt;
      case log_fault::none: break;
    }
    return run(s, true);
  }

  // Executes the statements of connections that were cut.
  void deliver() {
    const std::lock_guard lock{mutex_};
    for (const auto& s : std::exchange(late_, {})) run(s, true);
  }

  // The standby becomes the primary: everything that it does not have is gone, and so are all
  // connections and the statements of those that were cut before.
  void promote() {
    const std::lock_guard lock{mutex_};
    late_.clear();
    unreplicated_.clear();
    now_ = standby_;
    ++session_;
  }

  template <class Read>
  auto look(Read&& read) const {
    const std::lock_guard lock{mutex_};
    return read(now_);
  }
  // What no promotion takes away.
  template <class Read>
  auto look_at_standby(Read&& read) const {
    const std::lock_guard lock{mutex_};
    return read(standby_);
  }
  std::uint64_t session() const {
    const std::lock_guard lock{mutex_};
    return session_;
  }

 private:
  // What is replicated is replicated in order: with this transaction, all before it.
  bool run(const statement& s, bool replicated) {
    const auto changed = s(now_);
    if (changed) unreplicated_.push_back(s);
    if (changed && replicated)
      for (const auto& each : std::exchange(unreplicated_, {})) each(standby_);
    return changed;
  }

  mutable std::mutex mutex_;
  state now_, standby_;
  std::vector<statement> unreplicated_;
  std::vector<statement> late_;
  std::uint64_t session_ = 0;
};

class fake_log : public journal::shared_log {
 public:
  using member_id = journal::member_id;
  using batch_number = journal::batch_number;
  // Called before each statement that writes; the result happens to it.
  using hook = std::function<log_fault(std::string_view step)>;

  explicit fake_log(fake_database& db, hook before = {}) : db_(db), before_(std::move(before)) {}

  // A wrong store, with which a test shows that it can fail.
  bool confirms_without_writing = false;

  journal::log_contents open() override {
    db_.execute(
        [](fake_database::state& s) {
          s.members[member_id{s.members.size() + 1}];
          return true;
        },
        log_fault::none);
    self_ = db_.look([](const auto& s) { return member_id{s.members.size()}; });
    return {};
  }

  journal::append_result append(const journal::log_batch& b) override {
    using journal::append_outcome;
    const auto written = execute("append", append_statement(b));
    if (written.value_or(false)) return {append_outcome::written, {}};
    if (!written) return {append_outcome::unknown, "the connection was lost"};
    session_ = db_.session();
    return db_.look([&](const fake_database::state& s) -> journal::append_result {
      const auto& me = s.members.at(self_);
      if (me.adopted_by) return {append_outcome::fenced, "another member owns the log"};
      const auto at = me.batches.find(b.number);
      if (me.freed >= b.number) return {append_outcome::conflict, "the batch was deleted"};
      if (at == me.batches.end()) return {append_outcome::conflict, "the batch before is missing"};
      if (at->second.sum != b.sum) return {append_outcome::conflict, "another batch is there"};
      return {append_outcome::present, {}};
    });
  }

  journal::append_result confirm() override {
    using journal::append_outcome;
    if (confirms_without_writing) return {append_outcome::written, {}};
    const auto seen = session_;
    const auto wrote = execute("confirm", [](fake_database::state& s) { return ++s.writes != 0; });
    if (!wrote || db_.session() != seen) return {append_outcome::unknown, "not confirmed"};
    return {append_outcome::written, {}};
  }

  std::optional<std::int64_t> find_batch(batch_number n) override {
    return db_.look([&](const fake_database::state& s) -> std::optional<std::int64_t> {
      const auto& all = s.members.at(self_).batches;
      const auto at = all.find(n);
      return at == all.end() ? std::nullopt : std::optional{at->second.sum};
    });
  }

  std::uint64_t delete_ended(base::wall_time before, std::int64_t most) override {
    // The history of the database outlives this call.
    const auto deleted = std::make_shared<std::uint64_t>();
    db_.execute(
        [=](fake_database::state& s) {
          std::int64_t n = 0;
          while (n < most && !s.games.empty() && s.games.front().second.ended < before) {
            s.games.erase(s.games.begin());
            ++n;
          }
          *deleted = static_cast<std::uint64_t>(n);
          return n != 0;
        },
        log_fault::none);
    return *deleted;
  }

  std::uint64_t bytes_used() override {
    return db_.look([](const fake_database::state& s) {
      std::uint64_t all = 0;
      for (const auto& [id, g] : s.games) all += g.log.size();
      return all;
    });
  }

  std::vector<journal::record> read(game_id id, journal::record_number after) noexcept override {
    return db_.look([&](const fake_database::state& s) {
      if (const auto* g = ended(s, id)) return journal::records_of(g->log, g->records, after);
      for (const auto& [unused, m] : s.members)
        if (const auto k = m.kept.find(id); k != m.kept.end() && k->second.quarantined)
          return journal::records_of(k->second.log, k->second.records, after);
      return std::vector<journal::record>{};
    });
  }
  std::optional<journal::game_log> find_ended(game_id id) noexcept override {
    return db_.look([&](const fake_database::state& s) -> std::optional<journal::game_log> {
      const auto* g = ended(s, id);
      return g == nullptr ? std::nullopt : journal::log_of(g->log, g->records);
    });
  }
  std::vector<game_id> ended_before(game_id id, std::size_t most) noexcept override {
    return db_.look([&](const fake_database::state& s) {
      std::set<game_id, std::greater<>> all;
      for (const auto& [game, g] : s.games)
        if (game < id) all.insert(game);
      std::vector<game_id> found{all.begin(), all.end()};
      if (found.size() > most) found.resize(most);
      return found;
    });
  }

  bool keeps_sleepers() const noexcept override { return true; }
  std::optional<sleeping_log> read_asleep(game_id id) noexcept override {
    return db_.look([&](const fake_database::state& s) -> std::optional<sleeping_log> {
      const auto at = s.asleep.find(id);
      if (at == s.asleep.end()) return std::nullopt;
      const auto& g = at->second;
      return sleeping_log{g.log, g.records, g.due, {}, false, g.to_move};
    });
  }
  std::vector<game_id> asleep_with(const std::string& key, std::size_t most) noexcept override {
    return db_.look([&](const fake_database::state& s) {
      std::vector<game_id> found;
      for (const auto& [id, g] : s.asleep)
        if (has_key(g, key) && found.size() < most) found.push_back(id);
      return found;
    });
  }
  std::vector<game_id> asleep_before(std::string_view engine, game_id before,
                                     std::size_t most) noexcept override {
    return db_.look([&](const fake_database::state& s) {
      std::vector<game_id> found;
      for (auto at = s.asleep.rbegin(); at != s.asleep.rend() && found.size() < most; ++at)
        if (at->first < before && !at->second.listed.empty() &&
            (engine.empty() || at->second.listed == engine))
          found.push_back(at->first);
      return found;
    });
  }
  std::optional<taken_games> take_asleep(const journal::sleeper_query& what) override {
    const auto number = ++takes_;
    const auto from = uncertain_from_.value_or(number);
    const auto out = std::make_shared<taken_games>();
    const auto done = execute("take_asleep", [=, self = self_](fake_database::state& s) {
      *out = {};
      auto& me = s.members.at(self);
      if (me.adopted_by || me.takes >= number) return false;
      me.takes = number;
      take(s, self, what, number, from, *out);
      return true;
    });
    if (done && *done) {
      uncertain_from_.reset();
      return *out;
    }
    if (!done) uncertain_from_ = from;
    return std::nullopt;
  }

  member_id self() const override { return self_; }

  journal::adoption adopt(member_id other) override {
    using journal::adoption;
    const auto self = self_;
    const auto wrote = execute("adopt", [=](fake_database::state& s) {
      const auto at = s.members.find(other);
      if (s.members.at(self).adopted_by || other == self || at == s.members.end() ||
          at->second.adopted_by)
        return false;
      at->second.adopted_by = self;
      return true;
    });
    if (!wrote) return adoption::unknown;
    if (*wrote) return adoption::adopted;
    session_ = db_.session();
    const auto seen = db_.look([&](const fake_database::state& s) {
      if (s.members.at(self).adopted_by) return adoption::fenced;
      if (!s.members.contains(other)) return adoption::absent;
      return owner_of(s, other) == self ? adoption::adopted : adoption::taken;
    });
    if (seen != adoption::adopted) return seen;
    // It may be an earlier try of ours that no standby has.
    return confirm().what == journal::append_outcome::written ? seen : adoption::unknown;
  }

  journal::log_contents recover(member_id other) override {
    return db_.look([&](const fake_database::state& s) {
      journal::log_contents found;
      journal::recovery r;
      const auto& m = s.members.at(other);
      for (const auto& [id, k] : m.kept)
        r.add_kept({id, k.records, journal::checksum_of_retained(id, k.records, k.log), k.log,
                    k.quarantined});
      for (const auto& [n, b] : m.batches) r.add_batch({n, b.at, b.last, b.sum, b.entries});
      found.logs = r.finish([&](game_id id) { return ended(s, id) != nullptr; });
      std::erase_if(found.logs.games, [&](const auto& g) {
        return !g.second.quarantined && (ended(s, g.first) != nullptr || quarantined(s, g.first));
      });
      for (const auto id : m.announced) found.suspicions[id] = 1;
      for (const auto& [id, log] : found.logs.games) found.quarantined += log.quarantined ? 1u : 0u;
      found.ended = s.games.size();
      return found;
    });
  }

  std::vector<member_id> logs_of(member_id of) override {
    return db_.look([&](const fake_database::state& s) {
      std::vector<member_id> all{of};
      for (std::size_t i = 0; i < all.size(); ++i)
        for (auto at = s.members.rbegin(); at != s.members.rend(); ++at)
          if (at->second.adopted_by == all[i] && !at->second.released) all.push_back(at->first);
      return all;
    });
  }

  bool release(std::span<const member_id> list) override {
    const auto self = self_;
    const std::vector<member_id> all{list.begin(), list.end()};
    return execute("release",
                   [=](fake_database::state& s) {
                     if (s.members.at(self).adopted_by) return false;
                     for (const auto id : all) {
                       auto& m = s.members.at(id);
                       m.batches.clear();
                       m.announced.clear();
                       m.taken.clear();
                       std::erase_if(m.kept, [](const auto& k) { return !k.second.quarantined; });
                       m.released = true;
                     }
                     return true;
                   })
        .value_or(false);
  }

  std::optional<id_block> claim_ids(journal::id_kind kind) override {
    const auto last = std::make_shared<std::uint64_t>();
    const auto done = execute("claim", [=](fake_database::state& s) {
      *last = s.ids[kind] += journal::id_block_size;
      return true;
    });
    if (!done) return std::nullopt;
    return id_block{*last - journal::id_block_size + 1, journal::id_block_size};
  }

  std::optional<std::vector<std::string>> change_keys(const journal::key_change& what) override {
    using kind = journal::key_change::kind;
    const auto owned = std::make_shared<std::vector<std::string>>();
    const auto done = execute("change_keys", [=, self = self_,
                                              number = ++key_changes_](fake_database::state& s) {
      auto& last = s.key_tries[self];
      if (s.members.at(self).adopted_by || last >= number) return false;
      last = number;
      owned->clear();
      for (const auto& key : what.keys) {
        const auto at = s.keys.find(key);
        const auto whose = at == s.keys.end() ? self : at->second;
        const auto mine = whose == self || (what.what == kind::claim && whose == what.from) ||
                          (what.what == kind::inherit &&
                           (whose == fake_database::no_member || owner_of(s, whose) == self));
        if (what.what != kind::free && mine) {
          s.keys[key] = self;
          owned->push_back(key);
        } else if (what.what == kind::free && at != s.keys.end() && whose == self) {
          free(s, key);
        }
      }
      std::vector<std::string> released;
      for (const auto& [key, whose] : s.keys)
        if (what.of_released && whose != fake_database::no_member && was_released(s, whose, self))
          released.push_back(key);
      for (const auto& key : released) free(s, key);
      return true;
    });
    if (!done.value_or(false)) return std::nullopt;
    return *owned;
  }

 private:
  static bool has_key(const fake_database::stored_sleeper& g, const std::string& key) {
    return std::find(g.keys.begin(), g.keys.end(), key) != g.keys.end();
  }
  // The key stays taken if a game is asleep whose player has it.
  static void free(fake_database::state& s, const std::string& key) {
    const bool stays = std::any_of(s.asleep.begin(), s.asleep.end(),
                                   [&](const auto& each) { return has_key(each.second, key); });
    stays ? void(s.keys[key] = fake_database::no_member) : void(s.keys.erase(key));
  }
  // Another member that has one of the keys, or zero.
  static member_id other_of(const fake_database::state& s, member_id self,
                            const std::vector<std::string>& keys, bool lives) {
    member_id found;
    for (const auto& key : keys) {
      const auto at = s.keys.find(key);
      const auto whose = at == s.keys.end() ? member_id{} : fake_database::real(at->second);
      if (whose == self || whose == member_id{}) continue;
      const auto& m = s.members.at(whose);
      if (!lives || (!m.adopted_by && m.needs.empty())) found = std::max(found, whose);
    }
    return found;
  }
  static bool fits(const journal::sleeper_query& what, game_id id,
                   const fake_database::stored_sleeper& g) {
    const bool has = std::any_of(what.keys.begin(), what.keys.end(),
                                 [&](const auto& key) { return has_key(g, key); });
    return (!what.game || what.game == id) && (what.keys.empty() || has) &&
           (!what.due || g.due <= *what.due);
  }
  static void take(fake_database::state& s, member_id self, const journal::sleeper_query& what,
                   std::uint64_t number, std::uint64_t from, taken_games& out) {
    auto& me = s.members.at(self);
    std::erase_if(me.taken, [&](const auto& each) { return each.second.try_number < from; });
    std::set<std::pair<base::wall_time, game_id>> found;
    for (const auto& [id, g] : s.asleep) {
      if (!fits(what, id, g)) continue;
      constexpr std::chrono::seconds left_to_hub_of_player{10};
      const bool is_late = what.due && g.due <= *what.due - left_to_hub_of_player;
      if ((what.only_ours || what.due) && !is_late &&
          other_of(s, self, g.keys, true) != member_id{}) {
        out.more = out.more || !what.due;
        continue;
      }
      const bool has_engine =
          std::find(what.engines.begin(), what.engines.end(), g.engine) != what.engines.end();
      has_engine ? void(found.emplace(g.due, id)) : void(out.more = out.more || !what.due);
    }
    std::size_t taken = 0;
    for (const auto& [due, id] : found) {
      if (taken++ == what.most) {
        out.more = true;
        break;
      }
      const auto g = std::move(s.asleep.extract(id).mapped());
      me.kept[id] = {g.records, g.log, std::nullopt};
      me.taken[id] = {number, g.due, g.to_move};
      for (const auto& key : g.keys)
        if (const auto at = s.keys.find(key);
            at != s.keys.end() && (at->second == fake_database::no_member || at->second == self))
          at->second = fake_database::taker(self);
    }
    for (const auto& [id, t] : me.taken) {
      const auto k = me.kept.find(id);
      if (t.try_number >= from && k != me.kept.end())
        out.games.push_back({id, {k->second.log, k->second.records, t.due, {}, false, t.to_move}});
    }
    for (const auto& [id, g] : s.asleep)
      if (g.due != base::wall_time::max() &&
          std::find(what.engines.begin(), what.engines.end(), g.engine) != what.engines.end())
        out.next_due = std::min(g.due, out.next_due.value_or(g.due));
    out.elsewhere = other_of(s, self, what.keys, false);
    if (const auto at = s.asleep.find(what.game); what.keys.empty() && at != s.asleep.end())
      out.elsewhere = other_of(s, self, at->second.keys, false);
  }
  static member_id owner_of(const fake_database::state& s, member_id of) {
    of = fake_database::real(of);
    for (auto at = s.members.find(of); at != s.members.end() && at->second.adopted_by;
         at = s.members.find(of))
      of = *at->second.adopted_by;
    return of;
  }
  // True if all members from this one to its owner are released.
  static bool was_released(const fake_database::state& s, member_id of, member_id owner) {
    of = fake_database::real(of);
    if (of == owner) return false;
    for (; of != owner; of = *s.members.at(of).adopted_by)
      if (!s.members.at(of).released || !s.members.at(of).adopted_by) return false;
    return true;
  }
  static bool quarantined(const fake_database::state& s, game_id id) {
    return std::any_of(s.members.begin(), s.members.end(), [&](const auto& m) {
      const auto k = m.second.kept.find(id);
      return k != m.second.kept.end() && k->second.quarantined;
    });
  }
  static const fake_database::stored_game* ended(const fake_database::state& s, game_id id) {
    for (const auto& [game, g] : s.games)
      if (game == id) return &g;
    return nullptr;
  }

  // The whole transaction of an append, with copies of what it writes.
  fake_database::statement append_statement(const journal::log_batch& b) const {
    const auto self = self_;
    const fake_database::stored_batch row{b.at, b.last, b.sum, std::string{b.entries}};
    std::vector<std::pair<game_id, fake_database::stored_game>> games;
    for (const auto& g : b.ended) games.push_back({g.id, {g.ended, g.records, std::string{g.log}}});
    std::vector<std::pair<game_id, fake_database::stored_kept>> kept;
    for (const auto& k : b.kept)
      kept.push_back({k.id,
                      {k.records, std::string{k.log},
                       k.quarantined ? std::optional<std::string>{*k.quarantined} : std::nullopt}});
    std::vector<std::pair<game_id, fake_database::stored_kept>> released;
    std::set<game_id> suspects;
    std::vector<std::string> keys, own_keys;
    for (const auto& g : b.released) {
      released.push_back({g.id, {g.records, std::string{g.log}, std::nullopt}});
      if (g.suspected) suspects.insert(g.id);
      auto& all = g.own_keys ? own_keys : keys;
      all.insert(all.end(), g.keys.begin(), g.keys.end());
    }
    std::vector<std::pair<game_id, fake_database::stored_sleeper>> asleep;
    for (const auto& g : b.asleep) {
      auto log = g.log;
      const auto head = journal::take_header(log);
      const auto engine =
          head ? journal::engine_name(head->engine, head->engine_version) : std::string{};
      asleep.push_back({g.id,
                        {g.records, std::string{g.log}, engine, g.entry->listed, g.entry->due,
                         g.entry->to_move, g.entry->keys}});
    }
    return [=, n = b.number, needs = journal::engines_of(b.released), free_below = b.free_below,
            suspicions = b.suspicions](fake_database::state& s) {
      const auto at = s.members.find(self);
      if (at == s.members.end()) return false;
      auto& me = at->second;
      if (me.adopted_by || me.freed >= n || me.batches.contains(n)) return false;
      if (n != 1 && me.freed + 1 < n && !me.batches.contains(n - 1)) return false;
      me.batches[n] = row;
      for (const auto& [id, g] : games) {
        s.games.emplace_back(id, g);
        me.kept.erase(id);
      }
      for (const auto& [id, k] : kept) me.kept[id] = k;
      for (const auto& [id, k] : released) me.kept.erase(id);
      for (const auto& [id, g] : asleep) {
        me.kept.erase(id);
        s.asleep[id] = g;
      }
      if (!released.empty()) {
        const member_id id{s.members.size() + 1};
        auto& parcel = s.members[id];
        parcel.kept.insert(released.begin(), released.end());
        parcel.needs = needs;
        parcel.announced = suspects;
        for (const auto& key : keys)
          if (const auto owner = s.keys.find(key); owner != s.keys.end() &&
                                                   fake_database::real(owner->second) != self &&
                                                   owner_of(s, owner->second) == self)
            owner->second = id;
        for (const auto& key : own_keys)
          if (const auto owner = s.keys.find(key);
              owner != s.keys.end() && owner_of(s, owner->second) == self)
            owner->second = id;
      }
      for (const auto& one : suspicions)
        one.announced ? void(me.announced.insert(one.game)) : void(me.announced.erase(one.game));
      if (free_below != 0) {
        me.batches.erase(me.batches.begin(), me.batches.lower_bound(free_below));
        me.freed = std::max(me.freed, free_below - 1);
      }
      return true;
    };
  }

  std::optional<bool> execute(std::string_view step, const fake_database::statement& s) {
    return db_.execute(s, before_ ? before_(step) : log_fault::none);
  }

  fake_database& db_;
  hook before_;
  member_id self_;
  std::uint64_t session_ = 0;  // of the last look
  std::uint64_t key_changes_ = 0;
  std::uint64_t takes_ = 0;  // tries
  std::optional<std::uint64_t> uncertain_from_;
};

}  // namespace gamehub::tests
