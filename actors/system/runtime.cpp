#include "actors/system/runtime.hpp"

#include "actors/lobby/lobby.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/runtime/actor_system.hpp"
#include "actors/session/player_registry.hpp"
#include "actors/session/session.hpp"
#include "actors/spectate/spectator_service.hpp"
#include "actors/system/gateway.hpp"
#include "actors/system/recovery.hpp"
#include "actors/system/waker.hpp"
#include "hub/base/require.hpp"

#include <deque>
#include <utility>

namespace gamehub::actors::system {

namespace {

// CAF requires the registration of all message types before the first actor system.
void init_messages() {
  static const bool once = [] {
    caf::init_global_meta_objects<caf::id_block::gamehub>();
    caf::core::init_global_meta_objects();
    return true;
  }();
  static_cast<void>(once);
}

// The runtime spawns these actors and must learn of their end. An actor of the hub would need to
// be monitored itself.
template <class Handle>
void watch_essential_actor(const Handle& actor, std::string name, fault_listener* faults) {
  if (faults == nullptr) return;
  caf::actor_cast<caf::abstract_actor*>(actor)->attach_functor(
      [name = std::move(name), faults](const caf::error& why) {
        if (why != caf::exit_reason::user_shutdown) faults->on_essential_actor_lost(name);
      });
}

struct system_config : caf::actor_system_config {
  system_config() {
    // Every actor runs on a loop, so the workers of CAF stay idle.
    set("caf.scheduler.policy", std::string{"sharing"});
    set("caf.scheduler.max-threads", std::size_t{1});
    set("caf.logger.file.verbosity", std::string{"quiet"});
    set("caf.logger.console.verbosity", std::string{"quiet"});
  }
};

// Data that all session factories of the hub share.
struct session_factory_state {
  std::atomic<bool> draining{false};
  std::atomic<std::uint32_t> attachment_count{0};  // open session handles, one per attachment
  std::atomic<std::int64_t> guest_count{0};        // those that connections_max does not count
  std::uint32_t connections_max = 0;
  id_pool* player_ids = nullptr;
  const std::vector<actors::runtime::loop*>* loops = nullptr;
  std::vector<std::shared_ptr<session::unused_sessions>> unused = {};  // by loop
};

// Counts a client until its session handle counts it.
class counted_client {
 public:
  explicit counted_client(std::atomic<std::uint32_t>& in) : in_(in) { in_.fetch_add(1); }
  ~counted_client() { in_.fetch_sub(1); }
  counted_client(const counted_client&) = delete;
  counted_client& operator=(const counted_client&) = delete;

 private:
  std::atomic<std::uint32_t>& in_;
};

class session_factory final : public session_acceptor {
 public:
  session_factory(session_factory_state& h, session_count& begun, actors::runtime::loop& where,
                  session::session_setup setup, actors::runtime::gateway_actor wire)
      : state_(h),
        begun_(begun),
        loop_(where),
        setup_(std::move(setup)),
        gateway_(std::move(wire)) {
    setup_.unused = h.unused[static_cast<std::size_t>(where.index())].get();
  }

  std::unique_ptr<session_handle> accept(std::shared_ptr<attachment> client,
                                         close_reason& why) override {
    if (state_.draining.load(std::memory_order_relaxed) && !client->comes_to_its_player()) {
      why = close_reason::draining;
      return nullptr;
    }
    // Asked first, so that no client makes room for one that its address has no place for.
    auto hold = address_hold::of_one(client->account(), address_limit::sessions);
    if (!hold) {
      why = close_reason::address_limit;
      return nullptr;
    }
    // Loops that accept at the same time see each other's clients.
    const counted_client entering{state_.attachment_count};
    if (places_taken() > state_.connections_max) {
      why = close_reason::hub_full;
      return nullptr;
    }
    const player_id who{state_.player_ids->next()};
    if (!who) {
      why = close_reason::hub_full;
      return nullptr;
    }
    if (!begun_.add_client()) {
      why = close_reason::draining;
      return nullptr;
    }
    const auto id = client->id();
    auto s = actors::runtime::spawn_on<session::session>(loop_, setup_, who, std::move(client));
    caf::anon_send(gateway_, actors::runtime::opened{s});
    return session::make_session_handle(std::move(s), id, *std::move(hold));
  }

  bool make_room(unused_client kind) override {
    // It may lack a number for a player instead.
    if (places_taken() < state_.connections_max) return false;
    if (auto* unused = setup_.unused->first(kind, loop_.now())) {
      unused->make_room();
      return true;
    }
    if (kind != unused_client::idle) return false;
    for (std::size_t i = 0; i < state_.loops->size(); ++i)
      if (auto* other = (*state_.loops)[i]; other != &loop_)
        other->post([unused = state_.unused[i], other] {
          auto* first = unused->first(unused_client::newcomer, other->now());
          if (first == nullptr) first = unused->first(unused_client::idle, other->now());
          if (first != nullptr) first->make_room();
        });
    return false;
  }

  void add_guests(std::int64_t change) override {
    state_.guest_count.fetch_add(change, std::memory_order_relaxed);
  }

  // Spawns the session of a restored player.
  actors::runtime::session_actor restore_session(const actors::runtime::restored_game::seat& who) {
    begun_.add();
    auto s = actors::runtime::spawn_on<session::session>(loop_, setup_, who.player, who.name,
                                                         who.former_names, who.address);
    caf::anon_send(gateway_, actors::runtime::opened{s});
    return s;
  }

  void release() {
    gateway_ = nullptr;
    setup_.lobby = nullptr;
  }

 private:
  std::int64_t places_taken() const {
    return state_.attachment_count.load() - state_.guest_count.load(std::memory_order_relaxed);
  }

  session_factory_state& state_;
  session_count& begun_;
  actors::runtime::loop& loop_;
  session::session_setup setup_;
  actors::runtime::gateway_actor gateway_;
};

}  // namespace

struct runtime::parts {
  parts(const table::engine_directory& c, journal::journal& j)
      : directory(c),
        log(&j),
        game_ids(j.last_numbers().game.value + 1),
        player_ids(j.last_numbers().player.value + 1) {
    init_messages();
  }

  recovery make_recovery() {
    GAMEHUB_REQUIRE(lobby_handle != nullptr);
    return {directory, *log, loops, engine_loops, games, lobby_handle, trials};
  }

  // Games that fell asleep, here or at other hubs, come back.
  bool wakes() const { return settings.sleep_after.count() > 0 || log->shares_sleepers(); }

  const table::engine_directory& directory;
  journal::journal* log;
  id_pool game_ids, player_ids;
  session_factory_state shared;
  std::deque<session_count> sessions_begun;  // by wire
  runtime_settings settings;
  std::function<std::unique_ptr<base::random_source>()> make_entropy;
  std::unique_ptr<system_config> config;
  std::unique_ptr<caf::actor_system> system;
  std::vector<actors::runtime::loop*> loops;         // of clients and games
  std::vector<actors::runtime::loop*> engine_loops;  // by the number of an engine's host
  actors::runtime::search_executor* searcher = nullptr;
  std::vector<std::unique_ptr<base::random_source>> random;  // by loop
  std::vector<game::game_setup> games;                       // by loop, those of engines last
  std::function<bool(base::instant)> may_arrive;
  replay_trials trials;
  game_places places{directory, loops, engine_loops, games};
  waker_setup wakers_shared;
  std::vector<actors::runtime::waker_actor> wakers;  // by loop; empty: no game falls asleep
  lobby::lobby_setup lobby_shared;
  actors::runtime::lobby_actor lobby_handle;
  std::vector<std::shared_ptr<spectate::loop_spectator_service>> spectator_services;  // by loop
  std::vector<actors::runtime::gateway_actor> gateways;                               // by wire
  std::vector<std::vector<std::unique_ptr<session_factory>>> acceptors;  // by wire, then loop
  std::function<void()> drained;
  std::size_t gateways_draining = 0;
  std::atomic<actors::runtime::game_owner> owner{actors::runtime::game_owner::here};
};

runtime::runtime(const table::engine_directory& directory, journal::journal& log,
                 const runtime_settings& settings,
                 std::function<std::unique_ptr<base::random_source>()> make_entropy)
    : parts_(std::make_unique<parts>(directory, log)) {
  auto& p = *parts_;
  p.settings = settings;
  if (!p.settings.clocks.standard) p.settings.clocks.standard = per_move_clock(settings.turn_time);
  p.make_entropy = std::move(make_entropy);
  p.shared.connections_max = settings.connections_max;
  p.shared.loops = &p.loops;
  p.shared.player_ids = settings.player_ids != nullptr ? settings.player_ids : &p.player_ids;
  p.config = std::make_unique<system_config>();
  p.system = std::make_unique<caf::actor_system>(*p.config);
}

runtime::~runtime() = default;

caf::actor_system& runtime::system() { return *parts_->system; }

void runtime::add_loop(actors::runtime::loop& l) {
  GAMEHUB_REQUIRE(parts_->games.empty() && parts_->engine_loops.empty());
  parts_->loops.push_back(&l);
  parts_->shared.unused.push_back(std::make_shared<session::unused_sessions>());
}
void runtime::add_engine_loop(actors::runtime::loop& l) {
  GAMEHUB_REQUIRE(parts_->games.empty());
  parts_->engine_loops.push_back(&l);
}

void runtime::expect_players(std::function<bool(base::instant)> may_arrive) {
  parts_->may_arrive = std::move(may_arrive);
}

void runtime::use_trials(replay_trials t) { parts_->trials = std::move(t); }

void runtime::use_search_executor(actors::runtime::search_executor& t) { parts_->searcher = &t; }

void runtime::start() {
  auto& p = *parts_;
  GAMEHUB_REQUIRE(!p.loops.empty() && p.games.empty());
  // Of several hubs, those that are asleep must be any hub's.
  const bool has_others = p.settings.hubs != nullptr || p.settings.change_keys;
  if (!p.log->stores_away() || (has_others && !p.log->shares_sleepers()))
    p.settings.sleep_after = std::chrono::seconds{0};
  start_games();
  start_lobby();
  for (auto* each : p.loops)
    p.spectator_services.push_back(
        std::make_shared<spectate::loop_spectator_service>(spectate::spectator_setup{
            each, &p.directory, p.log, &p.engine_loops, p.lobby_handle, p.settings.hubs}));
  start_gateways();
  if (p.settings.hubs == nullptr) return;
  p.settings.hubs->start(
      {&p.directory, p.lobby_handle, p.loops,
       [this](std::size_t wire, std::size_t loop) -> session_acceptor& {
         return acceptor_for(wire, loop);
       },
       [this](std::size_t loop) -> spectator_service& { return spectators_for(loop); }});
}

void runtime::start_games() {
  auto& p = *parts_;
  auto all = p.loops;
  all.insert(all.end(), p.engine_loops.begin(), p.engine_loops.end());
  const auto secrets_from = p.make_entropy()->secret();
  for (auto* each : all) {
    p.random.push_back(p.make_entropy());
    auto& g = p.games.emplace_back();
    g.directory = &p.directory;
    g.log = p.log;
    g.random = p.random.back().get();
    g.searcher = p.searcher;
    g.clock = per_move_clock(p.settings.turn_time);
    g.clocks = &p.settings.clocks;
    g.rejoin_time = p.settings.rejoin_time;
    g.claim_time = p.settings.claim_time;
    g.absences = p.settings.absences;
    g.owner = &p.owner;
    g.sleep_after = p.settings.sleep_after;
    g.secrets_from = secrets_from;
    g.keys_of = [](const auto& log) { return session::player_registry::keys_of(log); };
    each->write_to(*p.log);
    each->report_faults_to(p.settings.faults);
  }
}

void runtime::start_lobby() {
  auto& p = *parts_;
  auto& first = *p.loops.front();
  auto* game_ids = p.settings.game_ids != nullptr ? p.settings.game_ids : &p.game_ids;
  p.lobby_shared = {&p.directory,
                    &p.games,
                    &p.engine_loops,
                    game_ids,
                    p.log,
                    p.settings.games_max,
                    &p.settings.clocks,
                    p.settings.rules,
                    p.may_arrive,
                    [&p](const actors::runtime::restored_game::seat& who) {
                      return p.acceptors[who.wire][who.home]->restore_session(who);
                    },
                    p.settings.change_keys,
                    p.settings.hubs};
  if (p.wakes()) {
    p.lobby_shared.wake_game = [&p](const actors::runtime::wake_request& m) {
      caf::anon_send(p.wakers[m.id.value % p.wakers.size()], m);
    };
    if (p.log->shares_sleepers())
      p.lobby_shared.read_taken = [&p](const journal::sleeping_game& found) {
        return sleeping_game(p.directory, found, p.loops.size());
      };
    else
      p.lobby_shared.find_asleep = [&p](game_id id) {
        return sleeping_game(p.directory, *p.log, id, p.loops.size());
      };
    p.lobby_shared.on_unreadable = p.settings.on_unreadable;
    p.lobby_shared.on_quarantined = p.settings.on_quarantined;
    p.lobby_shared.wall_origin = first.wall_now();
    p.lobby_shared.origin = first.now();
  }
  p.lobby_handle = actors::runtime::spawn_on<lobby::lobby>(first, p.lobby_shared);
  if (p.lobby_shared.wake_game) start_wakers();
  watch_essential_actor(p.lobby_handle, "lobby", p.settings.faults);
}

void runtime::start_wakers() {
  auto& p = *parts_;
  p.wakers_shared = {&p.places, p.log, p.lobby_handle, p.settings.on_quarantined};
  for (auto& g : p.games) g.lobby = p.lobby_handle;
  for (auto* each : p.loops) {
    p.wakers.push_back(actors::runtime::spawn_on<waker>(*each, p.wakers_shared));
    watch_essential_actor(p.wakers.back(), "waker", p.settings.faults);
  }
}

void runtime::start_gateways() {
  auto& p = *parts_;
  auto& first = *p.loops.front();
  for (std::size_t w = 0; w < p.directory.wires.size(); ++w) {
    auto& begun = p.sessions_begun.emplace_back();
    p.gateways.push_back(actors::runtime::spawn_on<gateway>(first, begun, [&p] {
      if (--p.gateways_draining == 0 && p.drained) p.drained();
    }));
    watch_essential_actor(p.gateways.back(), "gateway of " + p.directory.wires[w].name,
                          p.settings.faults);
    auto& acceptors = p.acceptors.emplace_back();
    for (std::size_t i = 0; i < p.loops.size(); ++i) {
      session::session_setup s{
          &p.directory,         static_cast<std::uint16_t>(w), p.lobby_handle,
          p.random[i].get(),    &p.shared.attachment_count,    p.settings.handshake_time,
          p.settings.idle_time, p.settings.rejoin_time,        p.settings.rules};
      s.names_wait = static_cast<bool>(p.settings.change_keys);
      s.hubs = p.settings.hubs;
      s.sleep_after = p.settings.sleep_after;
      s.wakes = p.wakes();
      acceptors.push_back(std::make_unique<session_factory>(p.shared, begun, *p.loops[i],
                                                            std::move(s), p.gateways.back()));
    }
  }
}

recovery_report runtime::recover(recovery_listener& listener) {
  return parts_->make_recovery().run(listener);
}

recovery_report runtime::take_over(const std::vector<adopted_games>& all,
                                   recovery_listener& listener,
                                   const std::function<bool()>& goes_on) {
  recovery_report sum;
  auto r = parts_->make_recovery();
  for (const auto& each : all) {
    const auto one = r.take_over(each.games, each.down_since, listener, goes_on);
    sum.restored += one.restored;
    sum.mismatches += one.mismatches;
    sum.quarantined += one.quarantined;
    sum.without_engine.insert(sum.without_engine.end(), one.without_engine.begin(),
                              one.without_engine.end());
  }
  return sum;
}

const table::engine_directory& runtime::directory() const { return parts_->directory; }

void runtime::takeover_ended() {
  caf::anon_send(parts_->lobby_handle, actors::runtime::takeover_ended{});
}

void runtime::end_game(game_id game, std::string note, std::function<void(bool)> found) {
  caf::anon_send(parts_->lobby_handle,
                 actors::runtime::end_game{game, std::move(note), std::move(found)});
}

void runtime::list_players(player_query which, std::function<void(player_page)> answer) {
  caf::anon_send(parts_->lobby_handle,
                 actors::runtime::list_players{std::move(which), std::move(answer)});
}

void runtime::bans_changed() {
  caf::anon_send(parts_->lobby_handle, actors::runtime::bans_changed{});
}

session_acceptor& runtime::acceptor_for(std::size_t wire, std::size_t loop_index) {
  return *parts_->acceptors[wire][loop_index];
}

spectator_service& runtime::spectators_for(std::size_t loop_index) {
  return *parts_->spectator_services[loop_index];
}

void runtime::begin_drain(std::function<void()> drained, actors::runtime::hand_over what) {
  auto& p = *parts_;
  p.drained = std::move(drained);
  p.gateways_draining = p.gateways.size();
  p.shared.draining = true;
  // Games of another hub are not handed over.
  const bool ours = p.owner == actors::runtime::game_owner::here;
  caf::anon_send(p.lobby_handle,
                 actors::runtime::drain{ours ? what : actors::runtime::hand_over::none});
  for (const auto& g : p.gateways) caf::anon_send(g, actors::runtime::drain{what});
}

void runtime::release_games(bool followed) {
  using actors::runtime::game_owner;
  parts_->owner = followed ? game_owner::followed : game_owner::elsewhere;
  caf::anon_send(parts_->lobby_handle, actors::runtime::drain{});
}

std::uint32_t runtime::clients() const { return parts_->shared.attachment_count; }

bool runtime::draining() const { return parts_->shared.draining; }

void runtime::end_games(end_reason why, const engines::host::host* host,
                        std::function<void(std::size_t)> counted) {
  caf::anon_send(parts_->lobby_handle, actors::runtime::end_games{why, host, std::move(counted)});
  if (why != end_reason::drained || !draining()) return;
  for (const auto& g : parts_->gateways)
    caf::anon_send(g, actors::runtime::drain{actors::runtime::hand_over::none, true});
}

void runtime::stop_actors() {
  auto& p = *parts_;
  if (p.settings.hubs != nullptr) p.settings.hubs->stop();
  for (auto& wire : p.acceptors)
    for (auto& acceptor : wire) acceptor->release();
  for (const auto& each : p.spectator_services) each->where().post([each] { each->close(); });
  for (auto& g : p.gateways) caf::anon_send_exit(g, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(p.lobby_handle, caf::exit_reason::user_shutdown);
  for (auto& w : p.wakers) caf::anon_send_exit(w, caf::exit_reason::user_shutdown);
  p.gateways.clear();
  p.lobby_handle = nullptr;
}

void runtime::wait_until_gone() { parts_->system->await_all_actors_done(); }

}  // namespace gamehub::actors::system
