// Tables of three seats or more of which engines and bots take seats.
#include "actors/lobby/matchmaker.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace gamehub::actors::lobby {
namespace {

using kind = seat_filler::kind;
using fillers = std::vector<seat_filler>;

const seat_filler any, engine{kind::engine, "random"};
seat_filler bot(std::string name) { return {kind::bot, std::move(name)}; }

constexpr std::uint16_t boxes = 0, other = 1;

// People are lower-case letters, bots have a capital one as id and name.
struct tables_with_fillers {
  matchmaker m{{3, 3}};
  base::instant now{std::chrono::hours{1}};

  static std::string names_of(const std::vector<pairing>& tables) {
    std::string out;
    for (const auto& t : tables) {
      if (!out.empty()) out += ' ';
      for (const auto p : t.players) out += p ? static_cast<char>(p.value) : '.';
    }
    return out;
  }
  static player_id id_of(char who) { return {static_cast<std::uint64_t>(who)}; }

  // Returns who sits down, by seat, when this player comes. An engine is a dot.
  std::string come(char who, fillers by_seat, std::optional<seat_index> seat = {},
                   bool again = false, std::uint32_t games = 1) {
    open_seek o;
    o.player = id_of(who);
    queue_key key;
    key.engine = boxes;
    key.fillers = std::move(by_seat);
    o.queues.push_back(std::move(key));
    o.name = std::string{who};
    o.seat = seat;
    o.again = again;
    o.games_max = games;
    return names_of(std::get<placement>(m.place(o, now)).tables);
  }
  std::string open_bot(char who, std::uint32_t games = 1, std::uint16_t plays = boxes) {
    open_seek o;
    o.player = id_of(who);
    o.queues.push_back({plays, {}});
    o.name = std::string{who};
    o.again = o.only_by_name = true;
    o.games_max = games;
    return names_of(std::get<placement>(m.place(o, now)).tables);
  }
  std::string ended(char who) {
    std::vector<pairing> found;
    m.game_ended(id_of(who), now, found);
    return names_of(found);
  }
  std::string away(char who, bool is) {
    std::vector<pairing> found;
    m.set_away(id_of(who), is, now, found);
    return names_of(found);
  }
};

}  // namespace

TEST_CASE("fillers: one player begins at once with engines and bots") {
  tables_with_fillers t;
  CHECK(t.open_bot('B').empty());
  CHECK(t.come('a', {any, engine, bot("B")}) == "a.B");
  CHECK(t.come('b', {engine, any, engine}) == ".b.");
  CHECK(t.m.waiting(boxes) == 0);
}

TEST_CASE("fillers: players take the seats that are for anyone, those who asked for the same") {
  tables_with_fillers t;
  CHECK(t.come('a', {any, engine, any}).empty());
  CHECK(t.come('b', {any, any, engine}).empty());
  CHECK(t.come('c', {}).empty());
  CHECK(t.m.waiting(boxes) == 3);
  CHECK(t.come('d', {any, engine, any}) == "a.d");
  CHECK(t.come('e', {any, any, engine}, 0) == "eb.");
}

TEST_CASE("fillers: an engine has no seat that is reported early") {
  tables_with_fillers t;
  open_seek o;
  o.player = t.id_of('a');
  queue_key key;
  key.fillers = {engine, any, any};
  o.queues.push_back(key);
  o.seat_at_once = true;
  const auto placed = std::get<placement>(t.m.place(o, t.now));
  CHECK(placed.seat == 1);
  CHECK(t.come('b', key.fillers) == ".ab");
}

TEST_CASE("fillers: a bot that is busy or away is waited for, first come, first served") {
  tables_with_fillers t;
  CHECK(t.open_bot('B').empty());
  const fillers alone{any, engine, bot("B")}, two{any, any, bot("B")};
  CHECK(t.come('z', alone) == "z.B");
  CHECK(t.come('b', two).empty());
  CHECK(t.come('y', alone).empty());
  CHECK(t.come('a', two).empty());  // their table lacks the bot only after y's
  CHECK(t.m.waiting(boxes) == 3);
  CHECK(t.ended('B') == "y.B");
  CHECK(t.away('B', true).empty());
  CHECK(t.ended('B').empty());
  CHECK(t.away('B', false) == "baB");
  CHECK(t.ended('B').empty());
  CHECK(t.m.waiting(boxes) == 0);
}

TEST_CASE("fillers: a bot that plays another engine is not seated") {
  tables_with_fillers t;
  CHECK(t.open_bot('B', 1, other).empty());
  CHECK(t.m.is_ready("B"));
  CHECK(t.m.is_ready("B", other));
  CHECK_FALSE(t.m.is_ready("B", boxes));
  CHECK(t.come('a', {any, engine, bot("B")}).empty());
  // It registers for this engine.
  t.m.withdraw(t.id_of('B'));
  CHECK(t.open_bot('B') == "a.B");
}

TEST_CASE("fillers: a player who withdraws is waited for by no bot, and its table goes on") {
  tables_with_fillers t;
  const fillers two{any, any, bot("B")};
  CHECK(t.come('a', two).empty());
  CHECK(t.come('b', two).empty());
  t.m.withdraw(t.id_of('b'));
  CHECK(t.open_bot('B').empty());
  CHECK(t.come('c', two) == "acB");
}

TEST_CASE("fillers: a table that needs two bots waits for both") {
  tables_with_fillers t;
  CHECK(t.come('a', {bot("A"), any, bot("B")}).empty());
  CHECK(t.open_bot('B').empty());
  CHECK(t.open_bot('A') == "AaB");
}

TEST_CASE("fillers: without room no table begins, and a bot serves its table once there is some") {
  tables_with_fillers t;
  CHECK(t.come('a', {any, engine, bot("B")}).empty());
  t.m.set_room(0);
  CHECK(t.open_bot('B').empty());
  CHECK(t.come('b', {any, engine, engine}).empty());
  t.m.set_room(5);
  std::vector<pairing> found;
  t.m.advance(t.now, found);
  CHECK(t.names_of(found) == "a.B b..");
}

TEST_CASE("fillers: a standing player has a bounded number of games against engines alone") {
  tables_with_fillers t;
  const auto begun = t.come('a', {any, engine, engine}, {}, true, 100);
  CHECK(std::count(begun.begin(), begun.end(), 'a') == limits::engine_games_max);
  CHECK(t.ended('a') == "a..");
}

namespace {

// Random scripts. A table that begins has what its players asked for; no bot plays more than it
// may; and no table is left that could begin.
class script {
 public:
  explicit script(unsigned seed) : random_(seed) {}

  void run() {
    for (int i = 0; i < 400; ++i) {
      const auto roll = pick(10);
      if (roll < 4)
        come(static_cast<char>('a' + pick(12)));
      else if (roll < 6)
        open_bot(static_cast<char>('A' + pick(3)));
      else if (roll < 7)
        withdraw(static_cast<char>(pick(2) == 0 ? 'a' + pick(12) : 'A' + pick(3)));
      else if (!running_.empty())
        end(pick(running_.size()));
      check_rest();
    }
  }

 private:
  struct seeker {
    queue_key key;
    std::uint32_t games_max = 1;
    std::size_t playing = 0;
    bool is_bot = false;
  };

  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>{0, below - 1}(random_);
  }

  // Two of these have one seat for a player, the others two.
  queue_key some_key() {
    const std::vector<fillers> all{{any, engine, bot("A")},
                                   {bot("A"), any, bot("B")},
                                   {any, any, bot("B")},
                                   {bot("C"), any, any},
                                   {any, engine, any}};
    queue_key key;
    key.fillers = all[pick(all.size())];
    return key;
  }

  void come(char who) {
    open_seek o;
    o.player = {static_cast<std::uint64_t>(who)};
    o.queues = {some_key()};
    o.name = std::string{who};
    o.games_max = static_cast<std::uint32_t>(1 + pick(2));
    o.again = o.games_max > 1;
    o.playing = static_cast<std::uint32_t>(playing(who));
    if (o.playing >= o.games_max) return;
    take(o, who, {o.queues.front(), o.games_max, o.playing, false});
  }

  void open_bot(char who) {
    open_seek o;
    o.player = {static_cast<std::uint64_t>(who)};
    o.queues = {{boxes, {}}};
    o.name = std::string{who};
    o.again = o.only_by_name = true;
    o.games_max = static_cast<std::uint32_t>(playing(who) + 1 + pick(2));
    o.playing = static_cast<std::uint32_t>(playing(who));
    take(o, who, {o.queues.front(), o.games_max, o.playing, true});
  }

  void take(const open_seek& o, char who, seeker s) {
    if (seekers_.contains(who)) return;
    seekers_[who] = std::move(s);
    follow(std::get<placement>(m_.place(o, now_)).tables);
  }

  void withdraw(char who) {
    CHECK(m_.withdraw({static_cast<std::uint64_t>(who)}) == (seekers_.erase(who) > 0));
  }

  void end(std::size_t at) {
    const auto game = running_[at];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
    for (const auto p : game) {
      if (!p) continue;
      if (const auto s = seekers_.find(static_cast<char>(p.value)); s != seekers_.end())
        --s->second.playing;
    }
    for (const auto p : game) {
      if (!p) continue;
      std::vector<pairing> found;
      m_.game_ended(p, now_, found);
      follow(found);
    }
  }

  std::size_t playing(char who) const {
    return static_cast<std::size_t>(
        std::count_if(running_.begin(), running_.end(), [&](const auto& game) {
          return std::find(game.begin(), game.end(), player_id{static_cast<std::uint64_t>(who)}) !=
                 game.end();
        }));
  }

  void follow(const std::vector<pairing>& tables) {
    for (const auto& t : tables) {
      REQUIRE(t.players.size() == 3);
      for (std::size_t seat = 0; seat < 3; ++seat) {
        const auto& wanted = t.queue.fillers.at(seat);
        const auto who = static_cast<char>(t.players[seat].value);
        REQUIRE((wanted.who == kind::engine) == (who == '\0'));
        if (who == '\0') continue;
        REQUIRE(seekers_.contains(who));
        auto& s = seekers_[who];
        REQUIRE(s.is_bot == (wanted.who == kind::bot));
        if (s.is_bot)
          REQUIRE(wanted.name == std::string{who});
        else
          REQUIRE(s.key == t.queue);
        REQUIRE(++s.playing <= s.games_max);
      }
      for (const auto p : t.players)
        if (const auto s = seekers_.find(static_cast<char>(p.value));
            p && s != seekers_.end() && s->second.games_max == 1 && !s->second.is_bot)
          seekers_.erase(s);
      running_.push_back(t.players);
    }
  }

  bool free(const seeker& s) const { return s.playing < s.games_max; }

  void check_rest() {
    std::map<queue_key, std::size_t> waiting;
    for (const auto& [who, s] : seekers_)
      if (!s.is_bot && free(s)) ++waiting[s.key];
    for (const auto& [key, players] : waiting) {
      const bool bots = std::all_of(key.fillers.begin(), key.fillers.end(), [&](const auto& f) {
        const auto at = f.who == kind::bot ? seekers_.find(f.name[0]) : seekers_.end();
        return f.who != kind::bot || (at != seekers_.end() && free(at->second));
      });
      const auto needed = 3 - count_filled(key.fillers);
      REQUIRE_FALSE((bots && players >= needed));
    }
  }

  std::mt19937 random_;
  matchmaker m_{{3}};
  base::instant now_{std::chrono::hours{1}};
  std::map<char, seeker> seekers_;
  std::vector<std::vector<player_id>> running_;
};

}  // namespace

TEST_CASE("fillers: in random scripts every table that can begin does, as its players asked") {
  const auto* one = std::getenv("GAMEHUB_SEED");
  const auto first = one != nullptr ? static_cast<unsigned>(std::strtoul(one, nullptr, 10)) : 1U;
  const auto count = one != nullptr ? 1U : tests::sanitized ? 60U : 300U;
  for (auto seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    script{seed}.run();
  }
}

}  // namespace gamehub::actors::lobby
