// The end of a simulated cluster's run: nothing fails any more, and what has to hold then.
#include "actors/session/player_registry.hpp"
#include "actors/table/substitutes.hpp"
#include "hub/journal/record.hpp"
#include "tests/simulation/cluster_run.hpp"

#include <algorithm>
#include <iterator>

namespace gamehub::tests {

using namespace std::chrono_literals;

namespace {

constexpr auto quiet_round = 250ms;

// A request with an unknown secret is answered after the next heartbeats.
constexpr int rounds_of_an_answer = 8;

}  // namespace

void cluster_run::be_quiet(int rounds) {
  cluster_.away = false;
  cluster_.database.deliver();
  for (auto& m : members_) {
    m->paused = false;
    m->cut_off_until = cluster_.now;
    for (auto& other : members_)
      if (other->id() < m->id() && cluster_.cut.contains({m->id(), other->id()}))
        set_link(*m, *other, true);
  }
  for (int i = 0; i < rounds; ++i) {
    if (!is_one_complete()) start_member(true);
    cluster_.now += quiet_round;
    for (std::size_t k = 0; k < members_.size(); ++k) members_[k]->beat();
    link_members();
    for (int passes = 0; passes < 8; ++passes)
      for (auto& m : members_) m->settle();
    read_events();
    end_leaving();
  }
}

bool cluster_run::is_one_complete() const {
  return std::any_of(members_.begin(), members_.end(), [](const auto& m) {
    return !m->fenced() && m->hub().directory().find_engine("tictactoe").has_value();
  });
}

// Each open game is in the journal of one hub that lives and has its engine.
void cluster_run::check_owners() const {
  std::map<game_id, int> owners;
  for (const auto& m : members_) {
    if (m->fenced()) throw violation{"a hub is fenced for no reason"};
    if (m->log().trouble()) throw violation{"a log is in trouble: " + *m->log().trouble()};
    if (m->log().report().appends_conflicting != 0) throw violation{"an append met a conflict"};
    for (const auto& h : m->log().open_games()) {
      ++owners[h.id];
      if (!m->hub().directory().find_engine(h.engine, h.engine_version))
        throw violation{"the hub of game " + std::to_string(h.id.value) + " lacks its engine"};
    }
  }
  const auto is_asleep = [&](game_id id) {
    return cluster_.database.look([id](const auto& s) { return s.asleep.contains(id) ? 1 : 0; });
  };
  for (const auto id : log_.open_games()) {
    const auto n = (owners.contains(id) ? owners.at(id) : 0) + is_asleep(id);
    if (n != 1)
      throw violation{"game " + std::to_string(id.value) + " has " + std::to_string(n) + " owners"};
  }
}

// No two players have names that look alike, and the database has the keys of all players that are
// here, each with its hub. A player may be at two hubs with different games. Returns false if it
// has more: those of players who have just left.
bool cluster_run::check_names() {
  std::map<std::string, std::pair<std::set<journal::member_id>, player_id>> expected;
  std::set<player_id> players;
  for (const auto& m : members_) {
    player_page found;
    player_query all;
    all.limit = 10'000;
    m->hub().runtime().list_players(all, [&](player_page page) { found = std::move(page); });
    m->settle();
    for (const auto& p : found.players) {
      players.insert(p.id);
      if (p.name == actors::session::default_name(p.id)) continue;
      for (const auto& key : actors::session::player_registry::keys_of(p.name)) {
        auto& one = expected.try_emplace(key, std::set<journal::member_id>{}, p.id).first->second;
        if (one.second != p.id) throw violation{"two players are called " + p.name};
        one.first.insert(m->id());
      }
    }
  }
  return cluster_.database.look([&](const fake_database::state& s) {
    std::size_t digests = 0;
    bool more = false;
    for (const auto& [key, member] : s.keys) {
      if (member == fake_database::no_member) {
        const bool is_needed =
            std::any_of(s.asleep.begin(), s.asleep.end(), [&, &k = key](const auto& each) {
              return std::find(each.second.keys.begin(), each.second.keys.end(), k) !=
                     each.second.keys.end();
            });
        if (!is_needed) throw violation{"a key of a game that is not asleep is taken: " + key};
        continue;
      }
      if (key.front() == 'd') more = ++digests > players.size() || more;
      const auto at = expected.find(key);
      if (at != expected.end() && at->second.first.contains(member))
        expected.erase(at);
      else if (key.front() != 'd')
        more = true;
    }
    if (digests < players.size()) throw violation{"a secret is not its hub's"};
    if (!expected.empty()) throw violation{"a name is not its hub's: " + expected.begin()->first};
    return !more;
  });
}

// The open games in which the player with this secret has a seat that no engine plays.
std::set<game_id> cluster_run::games_of(const std::string& secret) const {
  std::set<game_id> found;
  const auto digest = journal::digest_of(secret);
  for (const auto id : log_.open_games()) {
    const auto records = log_.log().read(id, 0);
    auto left = actors::table::substitutes::at_start(records);
    for (const auto& r : records) left.follow(r);
    for (const auto& r : journal::seats_of(records))
      if (r.secret == digest && !holds(left.now() | left.gone(), r.seat)) found.insert(id);
  }
  return found;
}

// Asks each hub for these players, as a client that knows all addresses does. Adds their games that
// are shown.
void cluster_run::ask_for_seats(const games_by_secret& of, games_by_secret& seated) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto* const m = members_[i].get();
    std::vector<std::pair<std::string, std::shared_ptr<test_client>>> asking;
    for (const auto& [secret, games] : of) {
      if (games.empty()) continue;
      const auto before = guests_.size();
      auto* const g = connect(*m, secrets_.at(secret).wire);
      if (guests_.size() == before) throw violation{"a hub takes no client"};
      sign_in back{"back", secret};
      back.only_resume = true;
      g->client->submit(std::move(back), now_);
      asking.emplace_back(secret, g->client->share());
    }
    if (asking.empty()) return;
    be_quiet(rounds_of_an_answer);
    for (const auto& [secret, client] : asking)
      for (const auto& e : client->events)
        if (std::holds_alternative<started>(e.what)) seated[secret].insert(e.game);
  }
}

// Each player with a secret gets its seats.
void cluster_run::check_seated() {
  games_by_secret expected, seated, missing;
  for (const auto& [secret, who] : secrets_) expected[secret] = games_of(secret);
  ask_for_seats(expected, seated);
  // All have asked a hub at the same moment. If another player wakes a game there, it is at this
  // hub when the hub has just sent the client to another one, which has other games of its player.
  // A client that comes after that gets it.
  for (const auto& [secret, games] : expected)
    std::set_difference(games.begin(), games.end(), seated[secret].begin(), seated[secret].end(),
                        std::inserter(missing[secret], missing[secret].end()));
  ask_for_seats(missing, seated);
  for (const auto& [secret, who] : secrets_)
    for (const auto id : games_of(secret)) {
      if (!expected[secret].contains(id)) continue;  // it has just begun
      if (!seated[secret].contains(id))
        throw violation{"guest " + std::to_string(who.who) + " is not seated in game " +
                        std::to_string(id.value)};
      ++tally_.seated;
    }
}

// Who watches a game of another hub has all updates, or was told that no hub has the game.
void cluster_run::check_far_spectators() const {
  for (const auto& s : spectators_) {
    const auto has = s.after + s.who->updates.size();
    if (s.far && s.who->unknowns == 0 && s.who->ends == 0 && has < log_.log().committed(s.game))
      throw violation{"a spectator of game " + std::to_string(s.game.value) +
                      " of another hub lacks what is after update " + std::to_string(has)};
  }
}

// The games go on, and each intent has a reply.
void cluster_run::play_on() {
  for (int i = 0; i < 4; ++i) {
    for (auto& g : guests_)
      if (auto move = g.client->legal_move(random_)) g.client->submit(*std::move(move), now_);
    be_quiet(2);
  }
  for (const auto& g : guests_)
    if (g.client->client().pending_replies != 0)
      throw violation{"an intent was never answered: " + g.client->unanswered()};
}

}  // namespace gamehub::tests
