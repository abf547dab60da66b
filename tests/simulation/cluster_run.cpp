#include "tests/simulation/cluster_run.hpp"

#include "actors/session/player_registry.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gamehub::tests {

using namespace std::chrono_literals;

namespace {

constexpr std::array<const char*, 6> engine_ids{"tictactoe", "connect-four", "kuhn-poker",
                                                "nim",       "oh-hell",      "rock-paper-scissors"};

std::string content_of(const game_update& u) {
  auto text = std::to_string(static_cast<int>(u.what)) + (u.hidden ? " hidden " : " ") +
              std::to_string(u.seat.value_or(-1)) + " '" + u.text + "' " +
              std::to_string(u.cell.value_or(-1));
  if (u.then) text += " " + u.then->cells + u.then->document + std::to_string(u.then->to_move);
  return text;
}

}  // namespace

cluster_run::tally& cluster_run::tally::operator+=(const tally& t) {
  moves += t.moves, told += t.told, kills += t.kills, pauses += t.pauses, fenced += t.fenced;
  kills_in_adoptions += t.kills_in_adoptions, adoptions += t.adoptions;
  promotions += t.promotions, unknown += t.unknown, outages += t.outages, seated += t.seated;
  names_lost += t.names_lost, handed_on += t.handed_on;
  cuts += t.cuts, moved += t.moved, came_back += t.came_back;
  went_on += t.went_on, watched_far += t.watched_far, read_far += t.read_far;
  drains += t.drains, slept += t.slept, woken += t.woken, followed += t.followed;
  return *this;
}

std::string cluster_run::tally::text() const {
  const auto n = [](std::size_t number, const char* of) {
    return std::to_string(number) + " " + of + ", ";
  };
  return n(moves, "moves") + n(told, "positions told") + n(kills, "kills") +
         n(kills_in_adoptions, "of them in adoptions") + n(pauses, "pauses") +
         n(fenced, "hubs fenced") + n(adoptions, "adoptions") + n(promotions, "promotions") +
         n(unknown, "unknown outcomes") + n(outages, "outages") +
         n(names_lost, "names and secrets of other players") +
         n(handed_on, "games handed on because of an engine") + n(cuts, "links cut") +
         n(moved, "players moved to other hubs") + n(came_back, "came back through another hub") +
         n(went_on, "clients went on when the hub of their player ended") +
         n(followed, "of them at a fenced hub") + n(drains, "drains") +
         n(slept, "games asleep before the end") + n(woken, "games woken") +
         n(watched_far, "spectators of games of other hubs") +
         n(read_far, "updates that they have read") + std::to_string(seated) + " seated at the end";
}

cluster_run::plan cluster_run::random_plan(generator& d) {
  plan p;
  p.loops = 1 + static_cast<int>(d() % 2);
  p.members = 2 + d() % 2;
  p.clients = 2 + d() % 9;
  p.actions = 150 + static_cast<int>(d() % 350);
  p.faults = d() % 3 == 0 ? 0 : static_cast<unsigned>(d() % 150);
  p.kills = static_cast<unsigned>(d() % 25);
  p.pauses = d() % 3 == 0 ? 0 : static_cast<unsigned>(d() % 25);
  p.outages = d() % 3 == 0 ? static_cast<unsigned>(d() % 10) : 0;
  p.promotions = d() % 3 == 0 ? static_cast<unsigned>(d() % 20) : 0;
  if (d() % 3 != 0) p.grace = 60s;
  if (d() % 3 == 0) p.turn = 20s;
  p.rejoin = d() % 4 == 0 ? 10s : 300s;
  p.redo_bytes_max = d() % 3 == 0 ? 300u : 1u << 20;
  p.some_lack_engine = d() % 4 == 0;
  p.cuts = d() % 2 == 0 ? 0 : static_cast<unsigned>(d() % 40);
  p.drains = d() % 3 == 0 ? 0 : static_cast<unsigned>(d() % 25);
  // With format 1 some games of a player stay at the hub that drains: its name is that of two hubs
  // then, and can be lost (hub/cluster/README.md, "Not yet").
  p.secrets = true;
  p.sleeps = d() % 2 == 0;
  return p;
}

cluster_run::cluster_run(std::uint64_t seed)
    : random_(seed),
      plan_(random_plan(random_)),
      seed_(seed),
      directory_(make_directory({.grace = plan_.grace})),
      log_(cluster_.database),
      checker_(directory_, log_.log()) {
  cluster_.fault = [this](std::string_view step) { return fault_of(step); };
}

cluster_run::~cluster_run() {
  guests_.clear();
  spectators_.clear();
  members_.clear();
}

std::string cluster_run::describe() const {
  const auto& p = plan_;
  return std::to_string(p.clients) + " guests, " + std::to_string(p.members) + " hubs with " +
         std::to_string(p.loops) + " loops, " + std::to_string(p.actions) + " actions, faults " +
         std::to_string(p.faults) + ", kills " + std::to_string(p.kills) + ", pauses " +
         std::to_string(p.pauses) + ", outages " + std::to_string(p.outages) + ", promotions " +
         std::to_string(p.promotions) + ", cuts " + std::to_string(p.cuts) + ", drains " +
         std::to_string(p.drains) + (p.secrets ? "" : " by format 1") + ", grace " +
         std::to_string(p.grace.count()) + ", turn " + std::to_string(p.turn.count()) +
         ", rejoin " + std::to_string(p.rejoin.count()) +
         (p.some_lack_engine ? ", some without an engine" : "") + (p.sleeps ? ", sleeps" : "") +
         ", action " + std::to_string(now_) + (quiet_ ? ", at the end" : "");
}

std::string cluster_run::play() {
  try {
    for (std::size_t i = 0; i < plan_.members; ++i) start_member();
    for (int i = 0; i < plan_.actions; ++i) act();
    quiet_ = true;
    be_quiet(80);
    check_owners();
    tally_.slept += cluster_.database.look([](const auto& all) { return all.asleep.size(); });
    for (int tries = 0; !check_names(); ++tries) {
      if (tries == 5) throw violation{"a name or a secret without a player is taken"};
      be_quiet(12);
    }
    check_seated();
    play_on();
    check_owners();
    check_far_spectators();
    for (const auto& m : members_) {
      tally_.handed_on += m->log().report().games_released;
      count_crossing(*m);
    }
    tally_.adoptions = log_.adopted().size();
    tally_.moves = static_cast<std::size_t>(checker_.count().moves);
  } catch (const std::exception& wrong) {
    return wrong.what();
  }
  return {};
}

void cluster_run::start_member(bool with_all_engines) {
  test_hub_options o{.loops = plan_.loops,
                     .settings = {plan_.turn, 0s, 0s, 1'000, 1'000, plan_.rejoin},
                     .grace = plan_.grace,
                     .seed = seed_ * 1'000 + 10 * ++started_};
  // The last in the order of names, so that the others have the same numbers.
  if (plan_.some_lack_engine && !with_all_engines && started_ % 2 == 1)
    o.without_engine = "tictactoe";
  // All games are of days.
  if (plan_.sleeps) {
    o.settings.clocks.standard = find_clock("days:1");
    o.settings.clocks.lasting_max = 1'000;
    o.settings.sleep_after = 1s;
  }
  members_.push_back(
      std::make_unique<simulated_member>(cluster_, std::move(o), plan_.redo_bytes_max));
  if (seed_ % 4 == 0) members_.back()->entry_time = 0s;
}

// Members that know each other have a link, unless it is cut.
void cluster_run::link_members() {
  for (auto& a : members_)
    for (auto& b : members_)
      if (a->id() < b->id() && a->knows(b->id()) && b->knows(a->id()) && !a->paused && !b->paused &&
          !cluster_.cut.contains({a->id(), b->id()}) && !linked_.contains({a->id(), b->id()}))
        set_link(*a, *b, true);
}

void cluster_run::set_link(simulated_member& a, simulated_member& b, bool up) {
  for (const auto& way : {std::pair{a.id(), b.id()}, std::pair{b.id(), a.id()}})
    up ? void(cluster_.cut.erase(way)) : void(cluster_.cut.insert(way));
  const auto both = std::minmax({a.id(), b.id()});
  up ? void(linked_.insert(both)) : void(linked_.erase(both));
  a.on_link(b.id(), up);
  b.on_link(a.id(), up);
}

void cluster_run::count_crossing(simulated_member& m) {
  const auto n = m.count_crossing();
  if (m.is_fenced_entry()) tally_.followed += n.returned;
  tally_.moved += n.moves;
  tally_.came_back += n.attached;
  tally_.went_on += n.returned;
  for (const auto& each : m.hub().cells(0).loop.wakes)
    tally_.woken += static_cast<std::size_t>(each.value());
}

// Its clients have read what it sent.
void cluster_run::end_member(simulated_member& m) {
  silent_.insert(m.id());
  tally_.handed_on += m.log().report().games_released;
  count_crossing(m);
  for (auto& other : members_)
    if (other.get() != &m) other->on_link(m.id(), false);
  read_events();
  for (auto& g : guests_)
    if (g.at == &m) {
      checker_.stop_waiting(g.client->who());
      g.client->client().disconnect();
    }
  std::erase_if(guests_, [&](const guest& g) { return g.at == &m; });
  std::erase_if(spectators_, [&](const spectator& s) { return s.at == &m; });
  std::erase_if(members_, [&](const auto& each) { return each.get() == &m; });
}

// A member whose heartbeats never stopped is not adopted.
void cluster_run::read_log() {
  log_.read_new();
  const auto holds_only_games = [this](journal::member_id id) {
    return cluster_.database.look(
        [id](const fake_database::state& s) { return !s.members.at(id).needs.empty(); });
  };
  for (const auto id : log_.adopted())
    if (!silent_.contains(id) && !holds_only_games(id))
      throw violation{"member " + std::to_string(id.value) + " is adopted for no reason"};
}

// What was done before is read, so that each statement is judged by those before it.
log_fault cluster_run::fault_of(std::string_view) {
  read_log();
  if (quiet_) return log_fault::none;
  if (chance(plan_.faults)) cluster_.database.deliver();
  if (chance(plan_.promotions)) {
    ++tally_.promotions;
    cluster_.database.promote();
  }
  if (!chance(plan_.faults)) return log_fault::none;
  ++tally_.unknown;
  constexpr std::array faults{log_fault::refused, log_fault::late, log_fault::answer_lost,
                              log_fault::not_replicated};
  return faults[random_() % faults.size()];
}

void cluster_run::act() {
  ++now_;
  cluster_.now += std::chrono::milliseconds{random_() % 150};
  act_on_members();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!members_[i]->paused) members_[i]->beat();
  link_members();
  if (members_.size() < plan_.members && !cluster_.away && cluster_.now - last_change_ > 2s &&
      chance(50))
    start_member();
  act_as_client();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!members_[i]->paused) run_some(*members_[i]);
  read_events();
  end_leaving();
}

void cluster_run::end_leaving() {
  for (std::size_t i = members_.size(); i-- > 0;) {
    auto& m = *members_[i];
    if (m.paused) continue;
    if (m.leave_if_fenced()) {
      ++tally_.fenced;
      end_member(m);
    } else if (m.leave_if_drained()) {
      end_member(m);
    }
  }
}

// Members connect again within the time that each waits after an outage. Who did not see that the
// database was away does not wait.
void cluster_run::begin_or_end_outage() {
  if (!(cluster_.away ? chance(60) : chance(plan_.outages))) return;
  cluster_.away = !cluster_.away;
  if (cluster_.away) ++tally_.outages;
  const auto all_saw =
      std::none_of(members_.begin(), members_.end(), [](const auto& m) { return m->paused; }) &&
      cluster_.now - last_change_ > 600ms;
  last_change_ = cluster_.now;
  if (cluster_.away || !all_saw) return;
  for (auto& m : members_)
    m->cut_off_until = cluster_.now + std::chrono::milliseconds{random_() % 1'400};
}

// What is sent meanwhile waits until the link is there again.
void cluster_run::act_on_links() {
  if (members_.size() < 2 || !chance(plan_.cuts)) return;
  const auto first = random_() % members_.size();
  const auto second = (first + 1 + random_() % (members_.size() - 1)) % members_.size();
  auto& a = *members_[first];
  auto& b = *members_[second];
  const bool is_cut = cluster_.cut.contains({a.id(), b.id()});
  if (!is_cut) ++tally_.cuts;
  set_link(a, b, is_cut);
}

void cluster_run::act_on_members() {
  begin_or_end_outage();
  act_on_links();
  for (auto& m : members_) {
    if (m->paused ? chance(25) : chance(plan_.pauses)) {
      m->paused = !m->paused;
      last_change_ = cluster_.now;
      if (m->paused) ++tally_.pauses;
      silent_.insert(m->id());
    }
    if (chance(plan_.pauses / 2)) {
      m->cut_off_until = cluster_.now + std::chrono::milliseconds{random_() % 4'000};
      silent_.insert(m->id());
    }
  }
  for (auto& m : members_) {
    if (m->paused || m->fenced() || m->draining() || m->adopts() || !chance(plan_.drains)) continue;
    ++tally_.drains;
    m->begin_drain(plan_.secrets, std::chrono::milliseconds{random_() % 8'000});
  }
  // More often while games are taken over.
  for (auto& m : members_) {
    if (!chance(m->adopts() ? 2 * plan_.kills : plan_.kills / 2)) continue;
    ++tally_.kills;
    if (m->adopts()) ++tally_.kills_in_adoptions;
    return end_member(*m);
  }
}

void cluster_run::run_some(simulated_member& m) {
  if (chance(200)) return m.settle();
  for (auto left = random_() % 12; left > 0; --left) m.step_loop(random_() % m.hub().loop_count());
  if (chance(300)) m.hub().searches().run_next();
  if (chance(500)) m.step_writer();
  for (auto left = random_() % 6; left > 0 && m.receive(); --left) {
  }
  for (auto left = random_() % 3; left > 0; --left) m.step_adoption();
}

void cluster_run::act_as_client() {
  if (guests_.size() < plan_.clients && chance(200)) connect_client();
  if (chance(100)) come_back();
  if (chance(60)) watch();
  if (guests_.empty()) return;
  auto& g = guests_[random_() % guests_.size()];
  submit_random(g);
  // A client of a hub that does not answer gives up more often.
  if (chance(g.at->paused ? 40 : 5)) leave(g);
}

simulated_member* cluster_run::random_member() {
  if (members_.empty()) return nullptr;
  auto* m = members_[random_() % members_.size()].get();
  return m->paused ? nullptr : m;
}

void cluster_run::connect_client() {
  auto* const m = random_member();
  auto* const g = m == nullptr ? nullptr : connect(*m, random_() % 2);
  if (g == nullptr) return;
  if (chance(850)) g->client->submit(random_sign_in(g->wire), now_);
  if (chance(700)) g->client->submit(random_seek(g->wire), now_);
}

// Of few names and secrets, so that players of all hubs want the same ones.
sign_in cluster_run::random_sign_in(std::size_t wire) {
  constexpr std::array names{"", "ann", "bob", "Ann"};
  sign_in who;
  who.name = names[random_() % names.size()];
  if (!who.name.empty() && chance(300)) who.choice = name_choice::exact;
  if (chance(150)) who.choice = name_choice::any;
  who.proposes_secret = chance(300);
  if (who.proposes_secret)
    who.resume_secret = "secret " + std::to_string(random_() % 5) + " of " + std::to_string(wire);
  return who;
}

cluster_run::guest* cluster_run::connect(simulated_member& m, std::size_t wire) {
  const auto client = m.hub().connect(wire, random_() % m.hub().loop_count());
  if (!client->connected()) {
    if (!m.fenced() && !m.hub().runtime().draining())
      throw violation{"a client is refused without a reason"};
    return nullptr;
  }
  guests_.push_back(
      {std::make_unique<simulated_client>(client, wire, ++last_identity_, checker_), &m, wire});
  return &guests_.back();
}

// With a secret, at any hub, whether or not the earlier connection still exists.
void cluster_run::come_back() {
  auto* const m = random_member();
  if (m == nullptr || secrets_.empty()) return;
  auto at = secrets_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random_() % secrets_.size()));
  const auto connected = std::any_of(guests_.begin(), guests_.end(), [&](const guest& g) {
    return g.client->who() == at->second.who;
  });
  if (connected && chance(900)) return;
  auto* const g = connect(*m, at->second.wire);
  if (g == nullptr) return;
  sign_in back{"back", at->first};
  back.only_resume = chance(700);
  g->client->submit(std::move(back), now_);
}

void cluster_run::submit_random(guest& g) {
  const auto roll = random_() % 100;
  auto& c = *g.client;
  if (roll < 70) {
    if (auto move = c.legal_move(random_)) return c.submit(*std::move(move), now_);
    if (chance(300)) c.submit(random_seek(g.wire), now_);
  } else if (roll < 85) {
    c.submit(random_seek(g.wire), now_);
  } else if (roll < 90) {
    c.submit(chat{c.some_game(random_), "well played"}, now_);
  } else if (roll < 94) {
    c.submit(offer{c.some_game(random_), chance(300) ? offer_kind::draw : offer_kind::takeback,
                   chance(500) ? offer_step::offered : offer_step::accepted},
             now_);
  } else if (roll < 95) {
    c.submit(gamehub::leave{c.some_game(random_)}, now_);
  } else {
    c.submit(play_cell(static_cast<std::int64_t>(random_() % 12), c.some_game(random_)), now_);
  }
}

intent cluster_run::random_seek(std::size_t wire) {
  const auto engines = chance(700) ? 2 : engine_ids.size();
  const std::string engine = engine_ids[random_() % engines];
  const auto games_max = 1 + static_cast<std::uint32_t>(random_() % 2);
  auto what = wire == test_hub::cells_wire ? seek_once(engine) : seek_again({engine}, games_max);
  auto& s = std::get<seek>(what);
  s.reserve_game = chance(300);
  s.against_engine = chance(100);
  s.features.answers_offers = chance(900);
  return what;
}

void cluster_run::leave(guest& g) {
  checker_.stop_waiting(g.client->who());
  g.client->client().disconnect();
  guests_.erase(guests_.begin() + (&g - guests_.data()));
}

// At any hub that has the engine, whether or not the game is there.
void cluster_run::watch() {
  auto* const m = random_member();
  const auto games = log_.open_games();
  if (m == nullptr || games.empty() || spectators_.size() > 20) return;
  const auto game = games[random_() % games.size()];
  const auto log = log_.log().find(game);
  if (!log || !m->hub().directory().find_engine(log->header.engine, log->header.engine_version))
    return;
  const auto after = chance(700) ? 0 : random_() % 6;
  auto& where = m->hub().runtime().spectators_for(random_() % m->hub().loop_count());
  const auto* const owner = owner_of(game);
  const bool far = owner != nullptr && owner != m && m->can_watch(owner->id()) && chance(800);
  tally_.watched_far += far ? 1 : 0;
  spectators_.push_back({far ? onlooker::of_elsewhere(where, owner->id().value, game, after)
                             : onlooker::of(where, game, after),
                         m, game, after, far});
}

const simulated_member* cluster_run::owner_of(game_id game) const {
  for (const auto& m : members_)
    for (const auto& h : m->log().open_games())
      if (h.id == game) return m.get();
  return nullptr;
}

// A hub reads a game that ended at another one as the primary shows it. From the hub of the game
// the log has committed records only.
bool cluster_run::is_archived(const spectator& s, journal::record_number upto) {
  const auto log = s.at->log().find(s.game);
  return log && log->records.size() >= upto &&
         log->records.back().what == journal::record::kind::ended;
}

// Updates of spectators are in the log, and the same from each hub.
void cluster_run::read_updates() {
  for (auto& s : spectators_) {
    const auto name = " (a spectator of game " + std::to_string(s.game.value) + ")";
    if (s.who->muddled) throw violation{"updates are out of order" + name};
    for (; s.read < s.who->updates.size(); ++s.read) {
      const auto& u = *s.who->updates[s.read];
      if (u.number != s.after + s.read + 1) throw violation{"updates from a wrong place" + name};
      if (u.number > log_.log().committed(s.game)) {
        if (is_archived(s, u.number)) continue;
        throw violation{"an update is told before its commit" + name};
      }
      tally_.read_far += s.far ? 1 : 0;
      auto text = content_of(u);
      const auto told = updates_.emplace(std::pair{s.game, u.number}, text);
      if (told.first->second != text)
        throw violation{"told of record " + std::to_string(u.number) + " " + text + " and " +
                        told.first->second + name};
    }
  }
}

void cluster_run::read_events() {
  read_log();
  read_updates();
  for (auto& g : guests_) {
    const auto& events = g.client->client().events;
    for (auto i = g.client->events_read(); i < events.size(); ++i) check_ids(g, events[i]);
    g.client->read_events(now_, [&](const std::string& secret) -> std::optional<identity> {
      const auto known = secrets_.emplace(secret, person{g.client->who(), g.wire});
      const auto who = known.first->second.who;
      if (known.second || who == g.client->who()) return std::nullopt;
      for (auto& other : guests_)
        if (other.client->who() == who) other.client->note_other_client();
      return who;
    });
    if (g.client->client().unexpected_replies != 0) throw violation{"an intent has two replies"};
    // A player may wait at several hubs, so who waited longer says nothing.
    checker_.stop_waiting(g.client->who());
  }
  for (std::size_t i = guests_.size(); i-- > 0;)
    if (guests_[i].client->client().closed) leave(guests_[i]);
}

void cluster_run::check_ids(const guest& g, const event& e) {
  if (std::holds_alternative<position_ref>(e.what)) ++tally_.told;
  if (const auto* who = std::get_if<signed_in>(&e.what)) check_name(g, *who);
  if (const auto* no = std::get_if<refused>(&e.what))
    tally_.names_lost +=
        no->why == refusal::name_taken || no->why == refusal::player_elsewhere ? 1 : 0;
  // A client whose player is at another hub has the ids of that one.
  if (!std::holds_alternative<placed>(e.what) || !e.game || g.at->count_crossing().entries != 0)
    return;
  if (given_.emplace(e.game, g.at->id()).first->second != g.at->id())
    throw violation{"two hubs give the id " + std::to_string(e.game.value)};
}

// What a new player is told to be called no other hub can tell another player, as long as no member
// has adopted its hub.
void cluster_run::check_name(const guest& g, const signed_in& who) const {
  const auto& client = g.client->client();
  if (who.returned || who.name.starts_with("client-") || client.closed || !client.connected() ||
      g.at->fenced())
    return;
  cluster_.database.look_at_standby([&](const fake_database::state& s) {
    if (s.members.at(g.at->id()).adopted_by) return;
    // It may have moved since.
    for (const auto& key : actors::session::player_registry::keys_of(who.name))
      if (!s.keys.contains(key))
        throw violation{"a hub tells the name " + who.name + " before it has it"};
  });
}

}  // namespace gamehub::tests
