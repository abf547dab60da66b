// Compares the matchmaker with a model that walks its queues: in random scripts both must pair the
// same players in the same order at the same time. The seed of a script is printed if it fails;
// GAMEHUB_SEED=n runs that script alone.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace gamehub;
using namespace std::chrono_literals;
using namespace gamehub::actors::lobby;

namespace {

using tables = std::vector<pairing>;

// The rules of the matchmaker without an index: each question walks the queue from its front.
class model {
 public:
  explicit model(std::vector<int> players_needed) : needed_(std::move(players_needed)) {}

  std::size_t room = 1'000'000;

  bool has_seek(player_id p) const { return seeks_.contains(p); }
  std::size_t waiting(std::uint16_t engine) const {
    std::size_t count = 0;
    for (const auto& [key, q] : queues_) count += key.engine == engine ? q.size() : 0;
    for (const auto p : for_room_)
      if (const auto& what = seeks_.at(p).what; !what.only_by_name)
        for (const auto& key : std::set(what.queues.begin(), what.queues.end()))
          if (key.engine == engine && !is_in(p, key)) ++count;
    return count;
  }

  std::optional<placement> place(const open_seek& what, base::instant now) {
    if (seeks_.contains(what.player)) return std::nullopt;
    seeks_.emplace(what.player, seek{what, what.playing});
    placement found;
    join(what.player, now, found.tables);
    if (!what.seat_at_once) return found;
    for (const auto& t : found.tables)
      for (std::size_t i = 0; i < t.players.size(); ++i)
        if (t.players[i] == what.player) found.seat = static_cast<seat_index>(i);
    if (!found.seat) found.seat = seeks_.at(what.player).reported = first_seat_left(what);
    return found;
  }

  std::optional<placement> join(const open_seek& what, player_id host, base::instant now) {
    const auto& key = what.queues.front();
    if (!seeks_.contains(host) || host == what.player || !is_in(host, key) || !free(host) ||
        needed_[key.engine] != 2 || room == 0)
      return std::nullopt;
    const auto& theirs = seeks_.at(host);
    if (!theirs.what.opponent.empty() && theirs.what.opponent != what.name) return std::nullopt;
    if (what.seat && what.seat == theirs.seat()) return std::nullopt;
    withdraw(what.player);
    seeks_.emplace(what.player, seek{what, what.playing});
    placement found;
    seat(queue_key{key}, {host, what.player}, what.player, now, found.tables);
    found.seat = found.tables.front().players.front() == what.player ? 0 : 1;
    return found;
  }

  void rename(player_id p, const std::string& name, base::instant now) {
    if (!seeks_.contains(p)) return;
    seeks_.at(p).what.name = name;
    for (const auto& key : seeks_.at(p).what.queues)
      if (key.party.empty() && is_in(p, key)) visits_.emplace(now + limits::rematch_pause, key);
  }

  void reserve(player_id p, game_id game) { seeks_.at(p).game = game; }

  void game_ended(player_id p, base::instant now, tables& out) {
    if (!seeks_.contains(p)) return;
    auto& s = seeks_.at(p);
    if (s.playing > 0) --s.playing;
    join(p, now, out);
  }

  void set_away(player_id p, bool away, base::instant now, tables& out) {
    if (!seeks_.contains(p)) return;
    seeks_.at(p).away = away;
    if (away)
      leave_queues(p);
    else
      join(p, now, out);
  }

  std::optional<pairing> challenge(player_id p, const std::string& name, bool only_ask,
                                   base::instant now) {
    const auto other = by_name(name);
    if (!seeks_.contains(p) || !seeks_.at(p).what.only_by_name) return std::nullopt;
    if (!other || *other == p || !free(p) || !free(*other)) return std::nullopt;
    for (const auto& key : seeks_.at(p).what.queues) {
      if (needed_[key.engine] != 2 || !seeks_in(*other, key)) continue;
      if (only_ask) return pairing{key, {p, *other}, {}};
      tables out;
      seat(queue_key{key}, {p, *other}, p, now, out);
      return out.front();
    }
    return std::nullopt;
  }

  bool withdraw(player_id p) {
    if (!seeks_.contains(p)) return false;
    leave_queues(p);
    seeks_.erase(p);
    return true;
  }

  void remove(player_id p) {
    withdraw(p);
    latest_.erase(p);
  }

  std::optional<base::instant> next() const {
    if (room == 0 || visits_.empty()) return std::nullopt;
    return visits_.begin()->first;
  }

  void advance(base::instant now, tables& out) {
    while (room > 0 && !for_room_.empty()) {
      const auto p = for_room_.front();
      for_room_.pop_front();
      join(p, now, out);
    }
    // One pause after each arrival the queue is walked again.
    while (room > 0 && !visits_.empty() && visits_.begin()->first <= now) {
      if (!walk(visits_.begin()->second, now, out)) return;
      visits_.erase(visits_.begin());
    }
  }

 private:
  struct seek {
    open_seek what;
    std::uint32_t playing = 0;
    bool away = false;
    std::optional<seat_index> reported = {};
    std::size_t engine_games = 0;
    game_id game = {};

    std::optional<seat_index> seat() const { return reported ? reported : what.seat; }
  };
  struct waiter {
    player_id player;
    base::instant since;
  };
  using queue = std::vector<waiter>;

  bool free(player_id p) const {
    const auto at = seeks_.find(p);
    return at != seeks_.end() && !at->second.away && at->second.playing < at->second.what.games_max;
  }

  bool is_in(player_id p, const queue_key& key) const {
    const auto at = queues_.find(key);
    return at != queues_.end() && std::any_of(at->second.begin(), at->second.end(),
                                              [p](const waiter& w) { return w.player == p; });
  }

  std::optional<player_id> by_name(const std::string& name) const {
    for (const auto& [p, s] : seeks_)
      if (s.what.only_by_name && s.what.name == name) return p;
    return std::nullopt;
  }

  bool seeks_in(player_id p, const queue_key& key) const {
    const auto& queues = seeks_.at(p).what.queues;
    return std::find(queues.begin(), queues.end(), key) != queues.end();
  }

  seat_index first_seat_left(const open_seek& what) {
    if (what.seat) return *what.seat;
    std::vector<seat_index> taken;
    for (const auto& key : what.queues)
      for (const auto& w : queues_[key])
        if (const auto seat = seeks_.at(w.player).seat()) taken.push_back(*seat);
    seat_index seat = 0;
    while (std::find(taken.begin(), taken.end(), seat) != taken.end()) ++seat;
    for (const auto& key : what.queues)
      if (seat >= needed_[key.engine]) return 0;
    return seat;
  }

  bool paused(const waiter& a, const waiter& b, base::instant now) const {
    const auto met = [&](player_id x, player_id y) {
      return latest_.contains(x) && latest_.at(x) == y;
    };
    return now < std::max(a.since, b.since) + limits::rematch_pause && !seeks_.at(a.player).game &&
           !seeks_.at(b.player).game && met(a.player, b.player) && met(b.player, a.player);
  }

  bool alone(const queue_key& key, player_id a, player_id b) const {
    if (seeks_.at(a).playing != 0 || seeks_.at(b).playing != 0) return false;
    const auto other = [&](player_id p) { return p != a && p != b; };
    const auto& q = queues_.at(key);
    return std::none_of(q.begin(), q.end(), [&](const waiter& w) { return other(w.player); }) &&
           std::none_of(seeks_.begin(), seeks_.end(), [&](const auto& each) {
             const auto& what = each.second.what;
             return other(each.first) && what.again && !what.only_by_name && !what.against_engine &&
                    seeks_in(each.first, key);
           });
  }

  bool conflict(player_id a, player_id b) const {
    const auto& x = seeks_.at(a);
    const auto& y = seeks_.at(b);
    const auto excludes = [](const seek& one, const seek& other) {
      return !one.what.opponent.empty() && one.what.opponent != other.what.name;
    };
    return (x.seat() && x.seat() == y.seat()) || (x.game && y.game) || excludes(x, y) ||
           excludes(y, x);
  }

  void use_room() { room -= room > 0 ? 1 : 0; }

  void join(player_id p, base::instant now, tables& out) {
    if (seeks_.at(p).what.against_engine) return play_engine(p, out);
    const auto queues = seeks_.at(p).what.queues;
    for (const auto& key : queues)
      if (room > 0 && free(p)) join_queue(p, key, now, out);
    if (room == 0 && free(p) && std::find(for_room_.begin(), for_room_.end(), p) == for_room_.end())
      for_room_.push_back(p);
  }

  void play_engine(player_id p, tables& out) {
    auto& s = seeks_.at(p);
    while (!s.away && s.playing < std::min(s.what.games_max, limits::engine_games_max)) {
      const auto& key = s.what.queues[s.engine_games++ % s.what.queues.size()];
      pairing t{key, std::vector<player_id>(static_cast<std::size_t>(needed_[key.engine])), {}};
      t.players[static_cast<std::size_t>(s.what.seat.value_or(0))] = p;
      out.push_back(t);
      use_room();
      ++s.playing;
      if (s.what.again) continue;
      seeks_.erase(p);
      return;
    }
  }

  void join_queue(player_id p, const queue_key& key, base::instant now, tables& out) {
    if (seeks_.at(p).what.only_by_name) {
      // The first challenger is served first. Tables of more seats have other rules for bots.
      for (bool found = needed_[key.engine] == 2; found && room > 0 && free(p);) {
        found = false;
        for (const auto& w : queues_[key]) {
          if (seeks_.at(w.player).what.opponent != seeks_.at(p).what.name) continue;
          seat(key, {w.player, p}, p, now, out);
          found = true;
          break;
        }
      }
      return;
    }
    if (is_in(p, key)) return;
    while (needed_[key.engine] == 2 && room > 0 && free(p) && !seeks_.at(p).what.opponent.empty()) {
      const auto named = by_name(seeks_.at(p).what.opponent);
      if (!named || *named == p || !free(*named) || !seeks_in(*named, key)) break;
      seat(key, {p, *named}, p, now, out);
    }
    while (room > 0 && free(p)) {
      auto party = party_for(key, {p, now});
      if (party.size() + 1 < static_cast<std::size_t>(needed_[key.engine])) break;
      party.push_back(p);
      seat(key, party, p, now, out);
    }
    if (room == 0 || !free(p)) return;
    auto& q = queues_[key];
    if (!q.empty() && key.party.empty()) visits_.emplace(now + limits::rematch_pause, key);
    q.push_back({p, now});
  }

  std::vector<player_id> party_for(const queue_key& key, const waiter& self) {
    const auto others = static_cast<std::size_t>(needed_[key.engine] - 1);
    std::vector<player_id> party;
    const auto walk_for = [&](bool challengers) {
      for (const auto& w : queues_[key]) {
        if (party.size() == others) return;
        if (challengers && seeks_.at(w.player).what.opponent.empty()) continue;
        const auto barred = [&](player_id other) { return conflict(w.player, other); };
        if (std::find(party.begin(), party.end(), w.player) != party.end()) continue;
        if (others == 1 && key.party.empty() && paused(w, self, self.since) &&
            !alone(key, w.player, self.player))
          continue;
        if (barred(self.player) || std::any_of(party.begin(), party.end(), barred)) continue;
        party.push_back(w.player);
      }
    };
    walk_for(true);
    walk_for(false);
    return party;
  }

  void leave(player_id p, const queue_key& key) {
    std::erase_if(queues_[key], [&](const waiter& w) { return w.player == p; });
  }
  void leave_queues(player_id p) {
    for (const auto& key : seeks_.at(p).what.queues) leave(p, key);
    std::erase(for_room_, p);
  }

  void seat(const queue_key& key, const std::vector<player_id>& party, player_id entering,
            base::instant now, tables& out) {
    if (party.size() == 2)
      for (std::size_t i = 0; i < 2; ++i)
        if (const auto& o = seeks_.at(party[i]).what; o.again && !o.seat_at_once)
          latest_[party[i]] = party[1 - i];
    pairing t{key, std::vector<player_id>(party.size()), {}};
    for (const auto p : party) {
      if (seeks_.at(p).game) t.game = seeks_.at(p).game;
      if (const auto seat = seeks_.at(p).seat()) t.players[static_cast<std::size_t>(*seat)] = p;
    }
    for (const auto p : party)
      if (!seeks_.at(p).seat()) *std::find(t.players.begin(), t.players.end(), player_id{}) = p;
    out.push_back(t);
    use_room();
    std::vector<player_id> back;
    for (const auto p : party) {
      leave(p, key);
      auto& s = seeks_.at(p);
      ++s.playing;
      s.reported.reset();
      s.game = {};
      if (!s.what.again)
        withdraw(p);
      else if (!free(p))
        leave_queues(p);
      else if (p != entering && !s.what.only_by_name)
        back.push_back(p);
    }
    for (const auto p : back) {
      if (!queues_[key].empty()) visits_.emplace(now + limits::rematch_pause, key);
      queues_[key].push_back({p, now});
    }
  }

  // Tries each player of the queue again with those before it. False: there is no room.
  bool walk(const queue_key key, base::instant now, tables& out) {
    if (needed_[key.engine] != 2) return true;
    const auto line = queues_[key];
    for (const auto& each : line) {
      auto& q = queues_[key];
      const auto at = std::find_if(q.begin(), q.end(),
                                   [&](const waiter& w) { return w.player == each.player; });
      const auto first = std::find_if(q.begin(), at, [&](const waiter& w) {
        return !paused(w, *at, now) && !conflict(w.player, each.player);
      });
      if (at == q.end() || first == at) continue;
      if (room == 0) return false;
      seat(key, {first->player, each.player}, {}, now, out);
    }
    return true;
  }

  std::vector<int> needed_;
  std::map<player_id, seek> seeks_;
  std::map<queue_key, queue> queues_;
  std::map<player_id, player_id> latest_;
  std::multimap<base::instant, queue_key> visits_;
  std::deque<player_id> for_room_;
};

std::string text_of(const tables& all) {
  std::ostringstream out;
  for (const auto& t : all) {
    out << "engine " << t.queue.engine << t.queue.options << t.queue.party << " game "
        << t.game.value << ":";
    for (const auto p : t.players) out << ' ' << p.value;
    out << "; ";
  }
  return out.str();
}

// What the players of a script are like.
struct customs {
  bool names = false, seats = false, pauses = false, parties = false, reports = false,
       absence = false, room = false;
};

class model_script {
 public:
  explicit model_script(std::uint64_t seed) : random_(seed), has_turns_(seed % 2 == 0) {
    const auto kind = d(8);
    how_ = {kind == 0 || d(2) == 0,
            kind == 1 || d(2) == 0,
            kind == 2 || d(2) == 0,
            d(3) == 0,
            d(2) == 0,
            d(3) == 0,
            d(4) == 0};
    players_ = 2 + d(14);
  }

  void run() {
    for (int i = 0; i < 120; ++i) step();
  }

  std::size_t pairings = 0, by_advance = 0, kept_waiting = 0, joins = 0;

 private:
  std::uint64_t d(std::uint64_t n) { return random_() % n; }
  static std::string name_of(std::uint64_t player) { return "p" + std::to_string(player); }

  void same(const tables& real, const tables& expected) {
    if (!real.empty() || !expected.empty()) REQUIRE(text_of(real) == text_of(expected));
    pairings += real.size();
    for (const auto& t : real)
      for (const auto p : t.players)
        if (p) running_.push_back(p);
    for (std::uint16_t e = 0; e < 3; ++e)
      if (real_.waiting(e) != model_.waiting(e)) FAIL("another number of players waits");
    for (std::uint64_t p = 1; p <= players_; ++p)
      if (real_.has_standing_seek({p}) != model_.has_seek({p})) FAIL("the seek of " << p);
  }

  // In half of the scripts the tables of a turn have a bound.
  void begin_turn() {
    if (has_turns_) real_.begin_turn();
  }

  void set_room() {
    if (!how_.room) return;
    room_ = d(3) == 0 ? 1'000 : d(4);
    real_.set_room(room_);
    model_.room = room_;
  }

  void advance() {
    tables real, expected;
    do {
      begin_turn();
      real_.advance(now_, real);
    } while (real_.next() && *real_.next() <= now_ && real.size() < 1'000);
    model_.advance(now_, expected);
    by_advance += real.size();
    same(real, expected);
  }

  // The timer of the model is never late. The matchmaker needs fewer of these calls.
  void pass_time() {
    advance();
    auto until = now_ + std::chrono::milliseconds{d(4) == 0 ? d(1'500) : d(3) == 0 ? d(200) : 0};
    if (const auto next = real_.next(); next && *next > now_ && d(3) == 0) until = *next;
    for (auto next = model_.next(); next && *next < until; next = model_.next()) {
      now_ = std::max(now_, *next);
      advance();
    }
    now_ = until;
    advance();
  }

  open_seek seek_of(std::uint64_t who) {
    open_seek o;
    o.player = {who};
    o.name = name_of(how_.names && d(8) == 0 ? 1 + d(players_) : who);
    o.again = how_.pauses ? d(4) != 0 : d(4) == 0;
    o.games_max = o.again ? 1 + static_cast<std::uint32_t>(d(3)) : 1;
    o.seat_at_once = o.again ? d(4) == 0 : d(2) == 0;
    o.against_engine = d(16) == 0;
    if (how_.names && d(3) == 0) o.opponent = name_of(1 + d(players_ + 3));
    if (how_.names && d(6) == 0) {
      // A standing seek by name requires neither opponent nor seat, and is told no seat.
      o.seat_at_once = false;
      o.name = name_of(who);
      o.opponent.clear();
      o.only_by_name = true;
      o.again = d(4) != 0;
    }
    for (auto count = 1 + d(3); count > 0; --count) {
      queue_key key{static_cast<std::uint16_t>(d(8) == 0 ? 2 : d(2)), {}};
      if (d(6) == 0) key.options = "{}";
      if (how_.parties && d(3) == 0) key.party = "friends", key.closed = d(8) == 0;
      o.queues.push_back(key);
    }
    if (how_.seats && !o.only_by_name && d(2) == 0) o.seat = static_cast<seat_index>(d(2));
    return o;
  }

  void place(std::uint64_t who) {
    const auto o = seek_of(who);
    auto real = real_.place(o, now_);
    const auto expected = model_.place(o, now_);
    REQUIRE(std::holds_alternative<placement>(real) == expected.has_value());
    if (!expected) return;
    const auto& found = std::get<placement>(real);
    latest_queues_[who] = o.queues;
    by_name_[who] = o.only_by_name;
    REQUIRE(found.seat == expected->seat);
    if (found.tables.empty()) ++kept_waiting;
    same(found.tables, expected->tables);
    if (how_.reports && d(2) == 0 && real_.has_standing_seek({who})) reserve(who);
  }

  // The queue of a game that waits is known from that player's seek.
  void join(std::uint64_t who) {
    const player_id host{1 + d(players_)};
    auto o = seek_of(who);
    o.again = o.against_engine = o.only_by_name = false;
    o.games_max = 1;
    o.opponent.clear();
    if (const auto& known = latest_queues_[host.value]; !known.empty() && d(8) != 0)
      o.queues = known;
    o.queues.resize(1);
    auto real = real_.join(o, host, now_);
    const auto expected = model_.join(o, host, now_);
    REQUIRE(std::holds_alternative<placement>(real) == expected.has_value());
    if (!expected) return same({}, {});
    ++joins;
    REQUIRE(std::get<placement>(real).seat == expected->seat);
    same(std::get<placement>(real).tables, expected->tables);
  }

  void rename(std::uint64_t who) {
    // Names of standing seeks by name are unique.
    const bool shared = how_.names && d(2) == 0 && !by_name_[who];
    const auto name = name_of(shared ? players_ + 1 + d(3) : 100 + ++names_);
    real_.rename({who}, name, now_);
    model_.rename({who}, name, now_);
    same({}, {});
  }

  void reserve(std::uint64_t who) {
    const game_id game{++games_};
    real_.reserve({who}, game);
    model_.reserve({who}, game);
  }

  void end_game() {
    if (running_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(d(running_.size()));
    const auto who = running_[static_cast<std::size_t>(at)];
    running_.erase(running_.begin() + at);
    tables real, expected;
    real_.game_ended(who, now_, real);
    model_.game_ended(who, now_, expected);
    same(real, expected);
  }

  void set_away(std::uint64_t who) {
    const bool away = d(2) == 0;
    tables real, expected;
    real_.set_away({who}, away, now_, real);
    model_.set_away({who}, away, now_, expected);
    same(real, expected);
  }

  void challenge(std::uint64_t who) {
    const auto name = name_of(1 + d(players_));
    const bool only_ask = d(3) == 0;
    const auto real = real_.challenge({who}, name, only_ask, now_);
    const auto expected = model_.challenge({who}, name, only_ask, now_);
    const auto* found = std::get_if<pairing>(&real);
    REQUIRE((found != nullptr) == expected.has_value());
    if (found != nullptr) REQUIRE(text_of({*found}) == text_of({*expected}));
    if (found != nullptr && !only_ask) same({*found}, {*expected});
  }

  void step() {
    set_room();
    pass_time();
    begin_turn();
    const auto who = 1 + d(players_);
    switch (d(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: return place(who);
      case 5:
      case 6:
      case 7: return end_game();
      case 8: REQUIRE(real_.withdraw({who}) == model_.withdraw({who})); return same({}, {});
      case 9:
        if (how_.absence) return set_away(who);
        real_.remove({who});
        model_.remove({who});
        return same({}, {});
      case 10:
        if (how_.names) challenge(who);
        return;
      case 11: return join(who);
      case 12: return rename(who);
      default:
        if (how_.reports && d(4) == 0 && real_.has_standing_seek({who})) reserve(who);
    }
  }

  std::mt19937_64 random_;
  const bool has_turns_;
  customs how_;
  std::map<std::uint64_t, std::vector<queue_key>> latest_queues_;
  std::map<std::uint64_t, bool> by_name_;
  std::uint64_t players_ = 2, games_ = 0, names_ = 0;
  std::size_t room_ = 1'000'000;
  base::instant now_{1h};
  matchmaker real_{{2, 2, 3}};
  model model_{{2, 2, 3}};
  std::vector<player_id> running_;
};

}  // namespace

TEST_CASE("matchmaker: pairs in thousands of random scripts as a walk of the queue would") {
  const auto* const only = std::getenv("GAMEHUB_SEED");
  const std::uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 1;
  const std::uint64_t last = only != nullptr ? first : tests::sanitized ? 300 : 3'000;
  std::size_t pairings = 0, by_advance = 0, kept_waiting = 0, joins = 0;
  for (auto seed = first; seed <= last; ++seed) {
    CAPTURE(seed);
    model_script one{seed};
    one.run();
    pairings += one.pairings;
    by_advance += one.by_advance;
    kept_waiting += one.kept_waiting;
    joins += one.joins;
  }
  CAPTURE(pairings, by_advance, kept_waiting, joins);
  if (only != nullptr) return;
  CHECK(pairings > 13 * last);
  CHECK(by_advance > last);
  CHECK(kept_waiting > 10 * last);
  CHECK(joins > last / 2);
}
