#include "tests/simulation/simulation_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace gamehub::tests {

using namespace std::chrono_literals;

namespace {

// All built-in engines.
constexpr std::array<const char*, 13> engine_ids{
    "tictactoe", "connect-four", "gomoku",         "kuhn-poker",          "nim",
    "othello",   "oh-hell",      "dots-and-boxes", "rock-paper-scissors", "hex",
    "checkers",  "backgammon",   "battleship"};

// True for a seek of one engine, whose games have three seats by default.
bool is_for_three(const std::vector<std::string>& engines) {
  return engines.size() == 1 &&
         (engines.front() == "oh-hell" || engines.front() == "dots-and-boxes");
}

}  // namespace

simulation_run::plan simulation_run::random_plan(generator& d) {
  plan p;
  p.loops = 1 + static_cast<int>(d() % 3);
  p.clients = 2 + d() % (d() % 3 == 0 ? 59 : 9);
  p.actions = 150 + static_cast<int>(d() % 450);
  p.late = d() % 3 == 0;
  p.disconnects = d() % 4 != 0;
  p.resume_client = p.disconnects && d() % 2 == 0;
  p.drain = d() % 4 == 0;
  if (d() % 2 == 0) p.grace = 20s;
  if (d() % 4 != 0) p.turn = 15s;
  if (d() % 3 == 0) p.handshake = 5s, p.idle = 30s;
  p.connections_max = d() % 5 == 0 ? 5 : 1'000;
  p.games_max = d() % 5 == 0 ? 2 : 1'000;
  p.against_engine = d() % 2 == 0;
  p.searches_max = d() % 4 == 0 ? 1 : 1'000;
  p.sleeps = d() % 4 == 0;
  if (p.sleeps) p.disconnects = p.resume_client = true, p.drain = false;
  return p;
}

test_hub_options simulation_run::options(std::uint64_t seed) {
  test_hub_options out{
      .loops = plan_.loops,
      .settings = {plan_.turn, plan_.handshake, plan_.idle, plan_.connections_max, plan_.games_max},
      .grace = plan_.grace,
      .seed = seed,
      .log = &log_};
  if (!plan_.sleeps) return out;
  // All games are of days.
  log_.stores_logs = true;
  out.settings.clocks.standard = find_clock("days:1");
  out.settings.clocks.lasting_max = plan_.games_max;
  out.settings.sleep_after = 5s;
  return out;
}

simulation_run::simulation_run(std::uint64_t seed)
    : random_(seed),
      plan_(random_plan(random_)),
      log_(plan_.late),
      hub_(options(seed)),
      checker_(hub_.directory(), log_) {
  hub_.searches().waiting_max = plan_.searches_max;
}

simulation_run::~simulation_run() { log_.be_late(false); }

std::string simulation_run::describe() const {
  const auto& p = plan_;
  return std::to_string(p.clients) + " guests, " + std::to_string(p.loops) + " loops, " +
         std::to_string(p.actions) + " actions" + (p.late ? ", late journal" : "") +
         (p.disconnects ? ", hang-ups" : "") + (p.resume_client ? ", resumes" : "") +
         (p.drain ? ", drained" : "") + (p.sleeps ? ", sleeps" : "") +
         (p.against_engine ? ", engine" : "") + ", grace " + std::to_string(p.grace.count()) +
         ", turn " + std::to_string(p.turn.count()) + ", action " + std::to_string(now_);
}

std::string simulation_run::play() {
  try {
    for (std::size_t i = 0; i < 2; ++i) connect_client();
    for (int i = 0; i < plan_.actions; ++i) act();
    close();
    check_end();
  } catch (const std::exception& wrong) {
    return wrong.what();
  }
  return {};
}

void simulation_run::act() {
  ++now_;
  if (clients_.size() < plan_.clients && chance(150)) connect_client();
  if (plan_.resume_client && chance(40)) resume_client();
  submit_random(random_client());
  if (chance(50)) watch();
  if (plan_.disconnects && chance(15)) random_client().client().disconnect();
  if (plan_.drain && !draining_ && now_ > 100 && chance(10)) {
    draining_ = true;
    hub_.runtime().begin_drain([this] { ++drained_; });
  }
  run_some();
  if (chance(30)) hub_.pass(std::chrono::milliseconds{random_() % 3'000});
  if (chance(5)) hub_.advance(std::chrono::milliseconds{random_() % 20'000});
  if (plan_.sleeps && chance(60)) hub_.advance(std::chrono::milliseconds{random_() % 16'000});
  if (plan_.late) commit_some();
  // A closed client disconnects after some steps.
  if (auto& g = random_client(); g.client().closed) g.client().disconnect();
  read_events();
  if (chance(40)) check_settled();
}

void simulation_run::run_some() {
  hub_.searches().paused = true;
  if (chance(300)) hub_.searches().run_next();
  const auto some = [this](auto which) {
    for (auto left = random_() % 12; left > 0; --left) hub_.step(which());
  };
  const auto loops = hub_.loop_count();
  switch (random_() % 4) {
    case 0: break;
    case 1: some([&] { return random_() % loops; }); break;
    case 2: some([one = random_() % loops] { return one; }); break;
    default: hub_.settle(); break;
  }
  hub_.searches().paused = false;
}

void simulation_run::commit_some() {
  if (chance(50)) log_.commit_all();
  const auto pending = log_.pending();
  if (pending.empty() || !chance(300)) return;
  const auto game = pending[random_() % pending.size()];
  log_.commit(game, log_.committed(game) + 1 + random_() % 3);
}

void simulation_run::connect_client(std::size_t wire) {
  const auto client = hub_.connect(wire, random_() % hub_.loop_count());
  if (!client->connected()) {
    // A resuming client has two connections for a moment.
    const auto full = plan_.connections_max <= 2 * clients_.size();
    if (!full && !draining_) throw violation{"a client is refused without a reason"};
    return;
  }
  if (draining_) throw violation{"a client is accepted during the drain"};
  ++connected_;
  clients_.push_back(
      std::make_unique<simulated_client>(client, wire, clients_.size() + 1, checker_));
  wires_.push_back(wire);
}

// Uses a known secret on a new connection, whether or not the old connection still exists.
void simulation_run::resume_client() {
  if (secrets_.empty()) return;
  auto at = secrets_.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random_() % secrets_.size()));
  const auto before = clients_.size();
  // By the same protocol, because a table has one view form per seat.
  connect_client(wires_[at->second - 1]);
  if (clients_.size() == before) return;
  auto secret = at->first;
  if (chance(100)) secret.front() = secret.front() == '0' ? '1' : '0';
  clients_.back()->submit(sign_in{"back", secret}, now_);
  if (chance(500)) clients_.back()->submit(random_seek(wires_.back()), now_);
  if (chance(100)) clients_.back()->client().disconnect();
}

void simulation_run::submit_random(simulated_client& g) {
  if (!g.connected()) return;
  const auto wire = wires_[static_cast<std::size_t>(
      std::find_if(clients_.begin(), clients_.end(),
                   [&](const auto& each) { return each.get() == &g; }) -
      clients_.begin())];
  const auto roll = random_() % 100;
  if (roll < 55) {
    if (auto move = g.legal_move(random_)) return g.submit(*std::move(move), now_);
    if (chance(600)) g.submit(random_seek(wire), now_);
  } else if (roll < 75) {
    g.submit(random_seek(wire), now_);
  } else if (roll < 80) {
    sign_in who{chance(500) ? "dup" : "", {}};
    who.features.answers_offers = true;
    g.submit(who, now_);
  } else if (roll < 84) {
    g.submit(random_offer(g), now_);
  } else if (roll < 95) {
    g.submit(invalid_intent(g), now_);
  } else if (roll < 97) {
    g.submit(leave{g.some_game(random_)}, now_);
  } else if (roll < 98) {
    g.submit(chat{g.some_game(random_), chance(900) ? "well played" : "\n"}, now_);
  } else {
    g.submit(rematch{g.some_game(random_)}, now_);
  }
  // Sometimes another intent follows before the hub handles this one.
  if (chance(100)) submit_random(g);
}

// Most are to be refused; the answers follow often enough to be accepted at times.
intent simulation_run::random_offer(simulated_client& g) {
  const auto game = g.some_game(random_);
  if (chance(50)) return claim{game};
  if (chance(50)) return find_seat{game};
  if (chance(400))
    return offer{game, offer_kind::rematch,
                 static_cast<offer_step>(chance(700) ? random_() % 2 : random_() % 4)};
  const auto what = chance(400) ? offer_kind::draw : offer_kind::takeback;
  return offer{game, what,
               chance(500) ? offer_step::offered : static_cast<offer_step>(random_() % 4)};
}

// Watches a game that a client has received, from a random loop and position.
void simulation_run::watch() {
  const auto& events = random_client().client().events;
  if (events.empty()) return;
  const auto game = events[random_() % events.size()].game;
  if (!game) return;
  const auto after = chance(500) ? 0 : random_() % 8;
  auto& where = hub_.runtime().spectators_for(random_() % hub_.loop_count());
  // Some read as a player of the game, each seat of which exists.
  const auto as =
      chance(300) ? std::optional{static_cast<seat_index>(random_() % 2)} : std::nullopt;
  watchers_.push_back(
      {game, after, log_.committed(game) > 0, onlooker::of(where, game, after, as)});
  if (chance(100)) watchers_.back().who->enough = 1 + random_() % 5;
}

// Each spectator received exactly the missing updates, and only committed ones.
void simulation_run::check_watchers() {
  for (const auto& w : watchers_) {
    const auto name = " a watcher of game " + std::to_string(w.game.value) + " after " +
                      std::to_string(w.after) + ", told " + std::to_string(w.who->updates.size()) +
                      " of " + std::to_string(log_.committed(w.game)) +
                      (w.who->unknowns != 0 ? ", and that there is none" : "");
    if (w.who->muddled) throw violation{"out of order:" + name};
    if (!w.who->updates.empty() && w.who->updates.front()->number != w.after + 1)
      throw violation{"from a wrong place:" + name};
    const auto committed = log_.committed(w.game);
    if (w.after + w.who->updates.size() > std::max(w.after, committed))
      throw violation{"too early:" + name};
    if (w.who->stopped()) continue;
    // A spectator that subscribed too early receives "no such game".
    if (w.who->unknowns != 0 && !w.had_started) continue;
    if (w.who->unknowns != 0 || w.after + w.who->updates.size() != std::max(w.after, committed))
      throw violation{"left behind:" + name};
    const auto log = log_.find(w.game);
    const auto ended = log && log->records.back().what == journal::record::kind::ended;
    if ((w.who->ends == 1) != ended) throw violation{"not told of the end, or too early:" + name};
  }
}

intent simulation_run::random_seek(std::size_t wire) {
  if (!invitations_.empty() && chance(50)) {
    seek joins;
    joins.invitation = invitations_[random_() % invitations_.size()];
    return joins;
  }
  if (!reserved_.empty() && chance(80)) {
    seek joins;
    joins.join = reserved_[random_() % reserved_.size()];
    return joins;
  }
  auto what = random_open_seek(wire);
  auto& s = std::get<seek>(what);
  s.reserve_game = !s.again && chance(400);
  s.closed = s.reserve_game && chance(200);
  if (plan_.against_engine) s.against_engine = chance(400);
  if (chance(200)) s.seat = static_cast<seat_index>(random_() % 2);
  if (!s.against_engine && is_for_three(s.engines) && chance(500)) {
    s.others.push_back({seat_filler::kind::engine, chance(500) ? "random" : ""});
    if (chance(300)) s.others.insert(s.others.begin(), seat_filler{});
    if (s.others.size() == 1 && chance(300)) s.others.push_back({seat_filler::kind::engine});
  }
  s.features.answers_offers = chance(900);
  return what;
}

intent simulation_run::random_open_seek(std::size_t wire) {
  if (chance(30)) return seek_once("chess");
  const auto engine = [this] { return std::string{engine_ids[random_() % engine_ids.size()]}; };
  // A protocol like opcodes seeks one game, a protocol like turns several; sometimes the reverse.
  if ((wire == test_hub::cells_wire) != chance(50)) return seek_once(engine());
  std::vector<std::string> engines{engine()};
  while (chance(500)) engines.push_back(engine());
  return seek_again(std::move(engines), 1 + static_cast<std::uint32_t>(random_() % 3));
}

intent simulation_run::invalid_intent(const simulated_client& g) {
  const auto game = g.some_game(random_);
  switch (random_() % 6) {
    case 0: return play_cell(static_cast<std::int64_t>(random_() % 12) - 1, game);
    case 1: return play_cell(static_cast<std::int64_t>(random_()), game);
    case 2: return play_document(R"({"type":"move","row":1.5})", game);
    case 3: return gamehub::play{game, {move::form::word, 0, "\xff nonsense"}};
    case 4: return play_cell(0, game_id{random_() % 50});
    default: return seek{};
  }
}

void simulation_run::read_events() {
  for (auto& g : clients_) {
    g->read_events(now_, [this, &g](const std::string& secret) -> std::optional<identity> {
      const auto known = secrets_.emplace(secret, g->who());
      if (known.second || known.first->second == g->who()) return std::nullopt;
      return known.first->second;
    });
    if (g->client().unexpected_replies != 0) throw violation{"an intent has two replies"};
    if (const auto* p = g->client().last<placed>(); p != nullptr && !p->invitation.empty())
      if (invitations_.empty() || invitations_.back() != p->invitation)
        invitations_.push_back(p->invitation);
    const auto& events = g->client().events;
    if (!events.empty() && std::holds_alternative<placed>(events.back().what) && events.back().game)
      reserved_.push_back(events.back().game);
  }
}

void simulation_run::settle() {
  do {
    log_.commit_all();
    hub_.settle();
  } while (!log_.pending().empty());
  read_events();
}

// When the hub has settled, every intent has a reply and the counts agree.
void simulation_run::check_settled() {
  settle();
  check_watchers();
  std::int64_t connected = 0;
  for (const auto& g : clients_) {
    if (!g->connected()) continue;
    ++connected;
    if (g->client().pending_replies != 0)
      throw violation{"an intent was never answered: " + g->unanswered()};
  }
  const auto running = static_cast<std::int64_t>(log_.open_games().size() + log_.away().size());
  if (hub_.games_started() != hub_.games_finished() + running)
    throw violation{"games were begun that neither run nor ended"};
  const bool ends_with_client = plan_.grace == 0s && !plan_.sleeps;
  if (hub_.sessions_open() < connected || (ends_with_client && hub_.sessions_open() != connected))
    throw violation{"the sessions are not those of the clients"};
  const auto asleep = hub_.cells(0).loop.games_asleep.value();
  if (asleep != static_cast<std::int64_t>(log_.away().size()))
    throw violation{"the journal has other games in its file than those that are asleep"};
  if (static_cast<std::int64_t>(hub_.actors_running()) != hub_.sessions_open() + running - asleep)
    throw violation{std::to_string(hub_.actors_running()) + " actors run, but " +
                    std::to_string(hub_.sessions_open()) + " sessions and " +
                    std::to_string(running) + " games"};
  const auto seek_unknown = [](const auto& g) { return g->seek_unknown(); };
  if (plan_.resume_client || draining_ ||
      std::any_of(clients_.begin(), clients_.end(), seek_unknown))
    return;
  for (const auto* engine : engine_ids) {
    const auto waiting = std::count_if(clients_.begin(), clients_.end(),
                                       [engine](const auto& g) { return g->waits_for(engine); });
    const auto counted = hub_.cells(0).engines[hub_.engine(engine)].players_waiting.value();
    if (ends_with_client ? waiting != counted : waiting > counted)
      throw violation{std::to_string(counted) + " wait for " + engine + " where " +
                      std::to_string(waiting) + " should"};
  }
}

// None of them would end by its clock. Those that are asleep wake for it.
void simulation_run::end_games_of_days() {
  if (!plan_.sleeps) return;
  for (const auto& h : log_.open_games()) hub_.runtime().end_game(h.id, "", [](bool) {});
  for (const auto game : log_.away()) hub_.runtime().end_game(game, "", [](bool) {});
  settle();
  check_watchers();
}

void simulation_run::close() {
  check_settled();
  if (draining_ || chance(300)) {
    end_games_of_days();
    if (!draining_) hub_.runtime().begin_drain([this] { ++drained_; });
    draining_ = true;
    settle();
    if (chance(500)) hub_.advance(20s);
    hub_.runtime().end_games(end_reason::drained);
    settle();
    check_watchers();
    if (drained_ != 1) throw violation{"the hub is not drained, or more than once"};
  } else {
    for (auto& g : clients_) {
      g->client().disconnect();
      run_some();
    }
    settle();
    end_games_of_days();
    hub_.advance(plan_.grace);
    settle();
  }
}

void simulation_run::check_end() {
  if (hub_.sessions_open() != 0) throw violation{"a session outlived the evening"};
  if (hub_.actors_running() != 0) throw violation{"an actor outlived the evening"};
  checker_.check_logs();
  const auto t = checker_.count();
  if (hub_.games_started() != t.games) throw violation{"the games are miscounted"};
  std::map<std::pair<int, int>, std::int64_t> ended;
  std::int64_t accepted = 0, refused = 0, opened = 0;
  for (std::size_t i = 0; i < hub_.loop_count(); ++i) {
    const auto& c = hub_.cells(i);
    for (const auto& e : c.engines)
      for (int r = 0; r < metrics::result_count; ++r)
        for (int why = 0; why < end_reason_count; ++why) {
          const auto result = static_cast<metrics::result>(r);
          const auto& n =
              e.games_finished[static_cast<std::size_t>(r)][static_cast<std::size_t>(why)];
          const auto winner = result == metrics::result::first    ? 0
                              : result == metrics::result::second ? 1
                              : result == metrics::result::other  ? 2
                                                                  : -1;
          if (n.value() != 0) ended[{winner, why}] += n.value();
        }
    for (const auto& w : c.wires) {
      opened += w.sessions_opened.value();
      for (const auto& n : w.refusals) refused += n.value();
      for (const auto& m : w.moves) accepted += m.accepted.value();
    }
  }
  if (ended != t.ended) throw violation{"the ends of games are miscounted"};
  // The session of a player who comes back is another one.
  if (opened != connected_ && !(plan_.sleeps && opened > connected_))
    throw violation{"the sessions are miscounted"};
  std::int64_t heard_accepted = 0, heard_refused = 0;
  for (const auto& g : clients_) heard_accepted += g->accepted, heard_refused += g->refusals;
  // Events to a client that has just disconnected are counted but not received.
  const auto fits = [this](std::int64_t events, std::int64_t counted) {
    return plan_.disconnects || draining_ || plan_.idle != 0s ? events <= counted
                                                              : events == counted;
  };
  if (!fits(heard_accepted, accepted) || accepted > t.moves)
    throw violation{"moves are miscounted"};
  if (!fits(heard_refused, refused)) throw violation{"refusals are miscounted"};
}

}  // namespace gamehub::tests
