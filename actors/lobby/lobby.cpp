#include "actors/lobby/lobby.hpp"

#include "actors/runtime/engine_call_scope.hpp"
#include "actors/table/engine_opponent.hpp"
#include "actors/table/public_projection.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gamehub::actors::lobby {

namespace {

// Ids that clients know must be durable before use. The journal reserves them in blocks of this
// size.
constexpr std::uint64_t ids_claimed_per_block = 1'024;

constexpr const char* too_many_lasting =
    "as many games of days are open as the hub allows: another clock can be had";

void add_engine(engines::level skill, base::wall_time now, game::game_players& to) {
  to.add({},
         {.player = {},
          .name = table::engine_opponent::name_of(skill),
          .can_return = true,
          .engine_level = skill,
          .last_seen = now},
         {{}, table::engine_opponent::log_wire_name(skill)});
}

void add_player(const auto& entry, player_id player, const table::wire_entry& by,
                const engines::host::engine& rules, game::game_players& to) {
  to.add(entry.session,
         {.player = player,
          .name = entry.name,
          .form = by.form_of(rules),
          .can_return = !entry.digest.empty(),
          .features = entry.features,
          .can_follow = by.crossing != hub_crossing::none,
          .last_seen = entry.asked},
         {entry.digest, by.name});
}

}  // namespace

lobby::lobby(caf::actor_config& config, lobby_setup& setup)
    : typed_loop_actor(config), setup_(setup), parties_(waiting_, names_, matches_) {
  load_new_engines();
  if (setup_.change_keys) keys_ = std::make_unique<key_state>();
  if (shares_sleepers()) arm_look_timer(owning_loop().now());
  if (!setup_.find_asleep) return;
  names_.also_taken([this](const std::string& key) {
    return setup_.log->asleep() != 0 && setup_.log->count_asleep("n" + key, 1) != 0;
  });
  if (const auto first = setup_.log->due_after(due_cursor_, 1); !first.empty())
    due_on_file_ = setup_.instant_of(first.front().first);
  count_sleepers();
  arm_due_timer();
}

bool lobby::receive(caf::message& what) {
  return dispatch(
      what, std::tuple{
                [this](runtime::register_player& m) { on_register(m); },
                [this](const runtime::rename_player& m) { on_rename(m); },
                [this](runtime::resume_request& m) { on_resume(m); },
                [this](runtime::seek_request& m) { on_seek(m); },
                [this](runtime::challenge_request& m) { on_challenge(m); },
                [this](runtime::withdraw_request& m) { withdraw(m); },
                [this](runtime::decline_request& m) { decline(m); },
                [this](const runtime::seat_capacity_freed& m) { on_capacity_freed(m.player); },
                [this](const runtime::player_presence& m) { on_presence(m); },
                [this](const runtime::waiting_presence& m) { waiting_.set_away(m.player, m.away); },
                [this](const runtime::player_left& m) {
                  if (keys_ && m.suspended) keys_->claims.leave_behind(m.player);
                  remove(m.player);
                  if (m.session) send(m.session, runtime::player_removed{});
                },
                [this](const runtime::drain& m) { on_drain(m); },
                [this](const runtime::end_games& m) { on_end_games(m); },
                [this](runtime::end_game& m) { end(m); },
                [this](const runtime::bans_changed&) { expel_banned(); },
                [this](runtime::find_game& m) { find(m); },
                [this](const runtime::find_clocks& m) { find_clocks(m); },
                [this](const runtime::list_games& m) { list(m); },
                [this](const runtime::list_players& m) { list(m); },
                [this](const runtime::find_invitation& m) { find(m); },
                [this](runtime::restored_game& m) { on_restored(m); },
                [this](const runtime::player_may_sleep& m) { on_player_may_sleep(m); },
                [this](runtime::player_sleeps& m) { on_player_sleeps(m); },
                [this](runtime::seats_wanted& m) { on_seats_wanted(m); },
                [this](runtime::seat_released& m) { on_seat_released(m); },
                [this](const runtime::game_may_sleep& m) { on_game_may_sleep(m); },
                [this](const runtime::game_sleeps& m) { on_game_sleeps(m); },
                [this](const runtime::game_woken& m) { on_game_woken(m); },
                [this](const runtime::game_filed& m) { on_game_filed(m); },
                [this](const runtime::keys_changed& m) { on_keys_changed(m); },
                [this](const runtime::takeover_ended&) {
                  if (keys_) keys_->claims.free_released(), change_keys();
                },
                [this](const runtime::player_moved& m) { on_moved(m.player); },
                [this](runtime::from_hub& m) { on_hub(m); },
                [this](const runtime::hubs_changed&) { on_hubs_changed(); },
                [this](runtime::locate_game& m) { on_locate(m); },
                [this](runtime::game_settled& m) { on_settled(m); },
                [this](const runtime::timer_up& m) { on_timer(m.number); },
            });
}

void lobby::on_timer(std::uint64_t number) {
  if (number == key_timer) return on_key_timer();
  if (number == hub_timer) return on_hub_timer();
  if (number == due_timer) return on_due();
  if (number == look_timer) return take_due();
  if (number == handover_timer) return on_handover_timer();
  if (number == early_requests::timer_number)
    return early_.retry(owning_loop().now(), names_, setup_.may_arrive);
  pairing_timer_ = {};
  pair_waiting();
}

void lobby::on_capacity_freed(player_id player) {
  std::vector<pairing> tables;
  update_room();
  if (!draining_) matches_.game_ended(player, owning_loop().now(), tables);
  open_tables(tables);
  ask_again(player);
}

void lobby::on_presence(const runtime::player_presence& m) {
  std::vector<pairing> tables;
  update_room();
  matches_.set_away(m.player, m.away, owning_loop().now(), tables);
  if (m.other_client) {
    matches_.end_rematch(m.player, owning_loop().now(), tables);
    carry_out(offers_.withdraw(m.player, offer_cause::left));
  }
  open_tables(tables);
}

void lobby::load_new_engines() {
  const auto& directory = *setup_.directory;
  for (; engines_known_ < directory.engines.size(); ++engines_known_) {
    const auto kind = directory.engines[engines_known_].kind;
    matches_.set_players(kind, directory.engines[directory.newest(kind)].traits.players);
  }
}

bool lobby::read_rematch(runtime::seek_request& m) {
  if (!m.rematch_of || m.looked_for_log) return false;
  m.looked_for_log = true;
  const auto find = [](const journal::journal& log, runtime::seek_request& for_whom) {
    if (auto found = log.find(for_whom.rematch_of))
      for_whom.ended_log = std::make_shared<const journal::game_log>(*std::move(found));
  };
  if (!setup_.log->reads_wait()) {
    find(*setup_.log, m);
    return false;
  }
  const auto moved = std::make_shared<runtime::seek_request>(std::move(m));
  pending_queries_.insert(moved->player);
  if (setup_.log->read_later([find, moved, log = setup_.log, lobby = self()] {
        find(*log, *moved);
        caf::anon_send(lobby, std::move(*moved));
      }))
    return true;
  pending_queries_.erase(pending_queries_.find(moved->player));
  send(moved->session, runtime::seek_result{{}, {}, refusal::hub_full, {}, moved->answers});
  return true;
}

// Creating a match to read its traits may block for an engine in its own process, so the loop of
// that engine does it and sends the request back. Requests that arrive meanwhile take precedence.
bool lobby::query_isolated_engine(runtime::seek_request& m) {
  for (std::size_t i = 0; i < m.what.engines.size() && i < m.what.options.size(); ++i) {
    const auto number = setup_.directory->find_engine(m.what.engines[i]);
    if (!number || m.what.options[i].empty() || m.asked.contains(*number)) continue;
    const auto& engine = setup_.directory->engines[*number];
    const auto rules = engine.rules.least_loaded();
    if (rules.host() == nullptr || !rules.host()->up()) continue;
    auto& where = *(*setup_.engine_loops)[rules.host()->number()];
    pending_queries_.insert(m.player);
    where.post([&engine, rules, &where, number, i, m = std::move(m), lobby = self()]() mutable {
      m.asked.emplace(*number, traits_on(where, *number, engine, rules, m.what.options[i]));
      caf::anon_send(lobby, std::move(m));
    });
    return true;
  }
  return false;
}

void lobby::on_seek(runtime::seek_request& m) {
  if (moving_.contains(m.player)) on_return(m.player);
  if (!m.asked.empty() || m.looked_for_log || m.looked_asleep || m.asleep_of_address) {
    const auto at = pending_queries_.find(m.player);
    // The seek was withdrawn, or the player has left.
    if (at == pending_queries_.end()) return refuse_seek(m, refusal::not_in_game);
    pending_queries_.erase(at);
  }
  if (draining_ || is_full())
    return refuse_seek(m, draining_ ? refusal::draining : refusal::hub_full);
  load_new_engines();
  const auto& by_wire = setup_.directory->wires[m.wire].opponent.name;
  if (!by_wire.empty() && m.what.opponent.empty() && !m.what.only_by_name &&
      !m.what.against_engine && !m.what.closed && !m.what.join && m.what.invitation.empty() &&
      !m.rematch_of && m.what.others.empty()) {
    m.what.opponent = by_wire;
    // A standing seek may wait for an opponent who is not connected yet.
    m.what.opponent_ready = !m.what.again;
  }
  if (const auto* bot = missing_bot(m)) {
    const auto name = m.what.opponent_ready ? std::string{} : *bot;
    return ask_for_bots(m) ? void() : refuse_seek(m, refusal::opponent_away, name);
  }
  if (ask_for_game(m) || look_for(m)) return;
  if (const auto closed = runs_closed(m)) {
    return *closed ? refuse_seek(m, refusal::not_in_game, no_such_game)
                   : refuse_seek(m, refusal::seat_taken, "it has begun");
  }
  // What needs no log is asked before the log is read, and again when it has been read.
  if (auto no = why_no_rematch(m)) return refuse_seek(m, *std::move(no));
  if (read_rematch(m)) return;
  queue_key party;
  if (auto no = parties_.resolve(m, party)) {
    if (m.rematch_of && no->why == refusal::not_in_game)
      offers_.count(m.player, owning_loop().now());
    return refuse_seek(m, *std::move(no));
  }
  if (auto no = why_no_rematch(m)) return refuse_seek(m, *std::move(no));
  if (query_isolated_engine(m)) return;
  auto queues = rules_of_seeks().queues_for(m);
  if (auto* no = std::get_if<runtime::seek_result>(&queues)) return refuse_seek(m, std::move(*no));
  auto& keys = std::get<std::vector<queue_key>>(queues);
  if (count_asleep(m, keys)) return;
  if (auto no = why_not_lasting(m, keys)) return refuse_seek(m, *std::move(no));
  std::string invitation;
  if (m.what.closed && party.party.empty()) {
    invitation = (*setup_.games)[static_cast<std::size_t>(owning_loop().index())].random->secret();
    party = {0, {}, party_of_invitation(invitation), true};
  }
  if (!party.party.empty()) {
    keys.resize(1);
    keys.front().party = party.party;
    keys.front().closed = party.closed;
  }
  if (m.host) keys.front().fillers = party.fillers;
  place_seek(m, std::move(keys), invitation);
}

std::optional<runtime::seek_result> lobby::why_not_lasting(
    const runtime::seek_request& m, const std::vector<queue_key>& keys) const {
  const auto any_of = [&](const auto& is) { return std::any_of(keys.begin(), keys.end(), is); };
  if (any_of([this](const queue_key& k) { return is_full_of_lasting(k.clock); }))
    return runtime::seek_result{{}, {}, refusal::hub_full, too_many_lasting, m.answers};
  if (any_of(
          [this](const queue_key& k) { return setup_.clocks->away_time(k.clock).has_value(); }) &&
      is_full_of_asleep(m))
    return runtime::seek_result{{}, {}, refusal::address_limit, {}, m.answers};
  return std::nullopt;
}

void lobby::place_seek(runtime::seek_request& m, std::vector<queue_key> keys,
                       const std::string& invitation) {
  const auto awaited = keys.front();
  const auto& first = setup_.directory->engines[setup_.directory->newest(awaited.engine)].traits;
  // If sign-in and seek arrive together, the lobby knows the name before the session does.
  std::string digest;
  if (const auto* entered = names_.find(m.player)) {
    m.name = entered->name;
    digest = entered->digest;
  }
  update_room();
  const auto seats = awaited.players != 0 ? awaited.players : first.players;
  const auto shared = shared_game(m, awaited, seats);
  if (const auto* why = std::get_if<refusal>(&shared)) return refuse_seek(m, *why);
  const auto table = std::get<game_id>(shared);
  const auto what = [&] { return rules_of_seeks().open_seek_of(m, std::move(keys), table); };
  const auto now = owning_loop().now();
  const bool joins_pair = m.host && !table;
  const bool keeps_seek = m.rematch_of && m.what.again;
  // From here on only join() refuses, which itself withdraws the earlier seek.
  if (table || (m.what.replaces && !joins_pair)) matches_.withdraw(m.player);
  auto placed_at = keeps_seek   ? matches_.seek_rematch(what(), now)
                   : joins_pair ? matches_.join(what(), m.host, now)
                                : matches_.place(what(), now);
  if (const auto* why = std::get_if<refusal>(&placed_at)) return refuse_seek(m, *why);
  // The place that the player had.
  send_reply(m.player);
  waiting_.remove(m.player);
  if (!offers_.empty()) carry_out(offers_.withdraw(m.player, offer_cause::elsewhere));
  seeks_.erase(m.player);
  seeks_.try_emplace(m.player, m.session, m.name, std::move(digest), m.wire, m.home,
                     owning_loop().wall_now(), rules_of_seeks().engine_level(m), m.what.features,
                     m.rematch_of);
  if (const auto at = players_.find(m.player); at != players_.end())
    at->second.features = m.what.features;
  auto& found = std::get<placement>(placed_at);
  runtime::seek_result reply{
      {first.id, first.marks, found.seat, invitation}, {}, {}, {}, m.answers};
  auto& answer = reply.place;
  answer.begins = std::any_of(found.tables.begin(), found.tables.end(), [&](const auto& t) {
    return std::find(t.players.begin(), t.players.end(), m.player) != t.players.end();
  });
  if (m.what.reserve_game || !invitation.empty()) rules_of_seeks().add_board(m, awaited, answer);
  answer.seats = static_cast<std::uint16_t>(seats);
  if (awaited.clock != setup_.games->front().clock) answer.clock = awaited.clock;
  reply.game = assign_games(m, awaited, answer, found, table);
  // The reply is sent first, so that it arrives before the game.
  const bool begins = answer.begins;
  if (keeps_seek)
    send(m.session, event{m.answers, m.rematch_of, gamehub::done{}});
  else if (begins || !ask_for_opponent(m, reply))
    send_placed(m.session, std::move(reply));
  open_tables(found.tables);
  decline_others(m.player, m.rematch_of);
  if (!begins) offer_rematch(m);
}

// A refusal of a seek_result would end the standing seek.
void lobby::refuse_seek(const runtime::seek_request& m, runtime::seek_result no) {
  if (!m.rematch_of || !m.what.again) return send(m.session, std::move(no));
  send(m.session, event{m.answers, m.rematch_of, refused{*no.why, std::move(no.detail), {}}});
}

void lobby::refuse_seek(const runtime::seek_request& m, refusal why, std::string detail) {
  refuse_seek(m, runtime::seek_result{{}, {}, why, std::move(detail), m.answers});
}

void lobby::withdraw(runtime::withdraw_request& m) {
  pending_queries_.erase(m.player);
  if (auto joins = joining_.extract(m.player)) refuse_seek(joins.mapped(), refusal::not_in_game);
  send_reply(m.player);
  matches_.withdraw(m.player);
  remove_seek(m.player);
  count_waiting();
  send(m.session, event{m.answers, {}, gamehub::done{}});
}

void lobby::remove(player_id player) {
  pending_queries_.erase(player);
  early_.forget(player);
  questions_.forget(player);
  asked_for_.erase(player);
  joining_.erase(player);
  moving_.erase(player);
  matches_.remove(player);
  names_.leave(player);
  if (keys_) free_keys(player);
  if (const auto as = resuming_as_.find(player); as != resuming_as_.end()) {
    // The attachment has moved, or the client has disconnected.
    const auto is_its = [player](const runtime::resume_request& r) { return r.player == player; };
    if (const auto at = players_.find(as->second); at != players_.end())
      std::erase_if(at->second.resume_requests, is_its);
    if (const auto at = sleepers_.find(as->second); at != sleepers_.end())
      std::erase_if(at->second.resumes, is_its);
    resuming_as_.erase(as);
  }
  if (const auto at = players_.find(player); at != players_.end()) {
    // These attachments arrive too late. Attachments that arrived in time are no longer listed.
    for (auto& late : at->second.resume_requests) {
      resuming_as_.erase(late.player);
      send(late.asking,
           runtime::resume_failed{std::move(late.name), late.choice, late.what.answers});
    }
    players_.erase(at);
  }
  remove_seek(player, offer_cause::left);
  carry_out(offers_.decline_others(player, {}, offer_cause::left));
  offers_.forget(player);
  count_waiting();
  forget_sleeper(player);
}

game_id lobby::assign_games(const runtime::seek_request& m, const queue_key& awaited,
                            const placed& answer, placement& found, game_id shared) {
  game_id mine;
  for (auto& t : found.tables) {
    if (!t.game) t.game = {setup_.game_ids->next()};
    const auto sits = std::find(t.players.begin(), t.players.end(), m.player) != t.players.end();
    if (sits && !mine) mine = t.game;
  }
  if (shared && !mine) {
    waiting_.add_player(shared, m.player, answer.seat.value_or(0), m.name,
                        table::seat_kind_of(setup_.directory->wires[m.wire].name));
    return shared;
  }
  if (!m.what.reserve_game && answer.invitation.empty()) return {};
  return mine ? mine : reserve(m, awaited, answer);
}

bool lobby::is_full() const {
  return running_.size() >= setup_.games_max || setup_.log->trouble() ||
         setup_.game_ids->is_short();
}

bool lobby::is_full_of_lasting(const clock_rule& clock) const {
  if (!setup_.clocks->away_time(clock)) return false;
  const auto most = setup_.clocks->lasting_max != 0
                        ? setup_.clocks->lasting_max
                        : std::max(setup_.games_max / limits::lasting_games_share, 1u);
  const bool full = running_.lasting() >= most;
  if (full) owning_loop().cells().loop.lasting_games_refused.add();
  return full;
}

game_id lobby::claim_game() {
  const game_id id{setup_.game_ids->next()};
  if (id.value + ids_claimed_per_block / 2 > claimed_until_.value) {
    claimed_until_ = {id.value + ids_claimed_per_block};
    setup_.log->claim_games(claimed_until_);
  }
  return id;
}

std::variant<game_id, refusal> lobby::shared_game(runtime::seek_request& m, const queue_key& queue,
                                                  int seats) const {
  if (seats < 3 || rules_of_seeks().plays_against_engine(m)) return game_id{};
  const waiting_games::entry* found = nullptr;
  if (m.host) {
    found = waiting_.find(waiting_.game_of(m.host));
    if (found == nullptr) return refusal::not_in_game;
    if (found->metadata->id == waiting_.game_of(m.player)) return refusal::already_in_game;
    if (!found->free_seat(m.what.seat)) return refusal::seat_taken;
  } else if (m.what.reserve_game) {
    found = waiting_.find_table(queue, m.what.seat);
  }
  // A player that waits at this table and wants another game gets a new one.
  if (found == nullptr || found->metadata->id == waiting_.game_of(m.player)) return game_id{};
  m.what.seat = found->free_seat(m.what.seat);
  m.what.seat_at_once = true;
  return found->metadata->id;
}

game_id lobby::reserve(const runtime::seek_request& m, const queue_key& what,
                       const placed& answer) {
  const auto id = claim_game();
  const auto& entry = setup_.directory->engines[setup_.directory->newest(what.engine)];
  const auto seat = answer.seat.value_or(0);
  auto metadata = std::make_shared<game_metadata>();
  metadata->id = id;
  metadata->engine = entry.traits.id;
  metadata->engine_version = entry.rules.version_text();
  metadata->options = what.options;
  metadata->marks = entry.traits.marks;
  metadata->players.resize(answer.seats);
  metadata->players.at(static_cast<std::size_t>(seat)) = m.name;
  metadata->kinds.resize(metadata->players.size());
  metadata->kinds.at(static_cast<std::size_t>(seat)) =
      table::seat_kind_of(setup_.directory->wires[m.wire].name);
  show_fillers(what.fillers, entry.rules, rules_of_seeks().engine_level(m), *metadata);
  metadata->reserved_for = parties_.reserved_for(m);
  metadata->closed = what.closed;
  metadata->opened = owning_loop().wall_now();
  metadata->clock = answer.clock;
  waiting_.add({m.player,
                seat,
                what,
                std::move(metadata),
                answer.invitation.empty() ? "" : party_of_invitation(answer.invitation),
                m.awaits,
                answer.rows,
                answer.columns,
                {},
                {},
                m.address});
  matches_.reserve(m.player, id);
  return id;
}

void lobby::on_challenge(runtime::challenge_request& m) {
  std::vector<pairing> tables;
  auto found = challenge_in_queue(m, tables);
  if (auto* why = std::get_if<refusal>(&found))
    return send(m.session, event{m.answers, m.game, refused{*why, {}, {}}});
  // The reply is sent first, so that it arrives before the game.
  send(m.session, event{m.answers, m.game, std::move(std::get<placed>(found))});
  open_tables(tables);
}

std::variant<placed, refusal> lobby::challenge_in_queue(runtime::challenge_request& m,
                                                        std::vector<pairing>& tables) {
  if (draining_) return refusal::draining;
  if (is_full()) return refusal::hub_full;
  update_room();
  auto found = matches_.challenge(m.player, m.opponent, !m.game, owning_loop().now());
  if (const auto* why = std::get_if<refusal>(&found)) return *why;
  auto& plan = std::get<pairing>(found);
  const auto& traits =
      setup_.directory->engines[setup_.directory->newest(plan.queue.engine)].traits;
  placed out{traits.id, traits.marks, seat_index{0}};
  out.begins = static_cast<bool>(m.game);
  if (!m.game) {
    m.game = claim_game();
    return out;
  }
  plan.game = m.game;
  tables.push_back(std::move(plan));
  return out;
}

void lobby::remove_seek(player_id player, offer_cause why) {
  carry_out(offers_.withdraw(player, why));
  seeks_.erase(player);
  questions_.forget(player);
  waiting_.remove(player);
}

void lobby::open_tables(std::vector<pairing>& tables) {
  for (auto& t : tables) {
    if (!all_have_seeks(t))
      refuse_all(t, refusal::unfit_engine, {});
    else if (is_full_of_lasting(t.queue.clock))
      refuse_all(t, refusal::hub_full, too_many_lasting);
    else
      open_table(t);
  }
  update_room();
  count_waiting();
  arm_pairing_timer();
}

void lobby::pair_waiting() {
  std::vector<pairing> tables;
  update_room();
  matches_.advance(owning_loop().now(), tables);
  open_tables(tables);
}

void lobby::update_room() {
  const auto turn = owning_loop().turn();
  if (std::exchange(turn_, turn) != turn) matches_.begin_turn();
  const auto running = running_.size();
  matches_.set_room(running < setup_.games_max ? setup_.games_max - running : 0);
}

// False if opening an earlier table of the same batch refused one of these players.
bool lobby::all_have_seeks(const pairing& plan) const {
  return std::all_of(plan.players.begin(), plan.players.end(),
                     [this](player_id p) { return !p || seeks_.contains(p); });
}

void lobby::open_table(pairing& plan) {
  const auto engine = setup_.directory->newest(plan.queue.engine);
  // The matchmaker pairs players only if there is room. Games against an engine do not wait for it.
  if (running_.size() >= setup_.games_max || (!plan.game && setup_.game_ids->is_short()))
    return refuse_all(plan, refusal::hub_full, {});
  const auto away_time = setup_.clocks->away_time(plan.queue.clock);
  const auto& entry = setup_.directory->engines[engine];
  const auto rules = entry.rules.least_loaded();
  // A newer version than at the time of the seek may have another number of players.
  const auto seats = plan.queue.players != 0 ? plan.queue.players : entry.traits.players;
  if (plan.players.size() != static_cast<std::size_t>(seats))
    return refuse_all(plan, refusal::unfit_engine, "has a new version");
  // The engine process was running at the time of the seek.
  if (rules.host() != nullptr && !rules.host()->up())
    return refuse_all(plan, refusal::engine_restarting, restarting);
  auto match = create_match(rules, engine, plan);
  if (!match) return;
  game::game_players players;
  players.reserve(plan.players.size());
  runtime::loop* where = nullptr;
  const auto level = pairing_level(plan);
  for (std::size_t i = 0; i < plan.players.size(); ++i) {
    const auto player = plan.players[i];
    if (!player) {
      add_engine(level_at(plan.queue.fillers, i, rules, level), owning_loop().wall_now(), players);
      continue;
    }
    send_reply(player);
    const auto& s = seeks_.at(player);
    // The game runs on the loop of the first player, who opened it.
    if (where == nullptr) where = s.home;
    add_player(s, player, setup_.directory->wires[s.wire], rules, players);
  }
  const auto id = plan.game ? plan.game : game_id{setup_.game_ids->next()};
  if (!offers_.empty()) carry_out(offers_.begin(plan.players, id));
  auto& at = loop_for(rules, *where);
  auto table =
      runtime::spawn_on<game::game>(at, (*setup_.games)[static_cast<std::size_t>(at.index())], id,
                                    engine, std::move(plan.queue.options), std::move(*match),
                                    std::move(players), plan.queue.clock, plan.queue.closed);
  for (std::size_t i = 0; i < plan.players.size(); ++i)
    if (const auto s = seeks_.find(plan.players[i]); s != seeks_.end()) {
      tell(s->second.session,
           runtime::seated{table, id, engine, static_cast<seat_index>(i), false, away_time});
      if (!matches_.has_standing_seek(plan.players[i])) seeks_.erase(s);
    }
  send(table, runtime::begin_game{});
  for (auto& by : waiting_.start(id)) send(table, runtime::watch_request{std::move(by)});
  track_game(std::move(table), id,
             {.host = rules.host(),
              .engine = engine,
              .closed = plan.queue.closed,
              .lasts = away_time.has_value()});
  // Also of players with standing seeks, which are seated without a request.
  for (const auto player : plan.players)
    if (player) decline_others(player, {});
}

// The level that the first player requested.
engines::level lobby::pairing_level(const pairing& plan) const {
  const auto first = std::find_if(plan.players.begin(), plan.players.end(),
                                  [](player_id p) { return static_cast<bool>(p); });
  return seeks_.at(*first).level;
}

std::optional<engines::host::match> lobby::create_match(const engines::host::engine& rules,
                                                        std::uint16_t number, const pairing& plan) {
  const runtime::engine_call_scope it{owning_loop().cells().loop, number};
  try {
    auto created = rules.prepare(plan.queue.options);
    if (auto* match = std::get_if<engines::host::match>(&created)) return std::move(*match);
    const auto& why = std::get<std::string>(created);
    if (why == engines::reasons::engine_failure) throw rules.failure("create");
    // The engine accepted these options at the time of the seek.
    owning_loop().cells().loop.games_failed.add();
    refuse_all(plan, refusal::unfit_engine, why);
  } catch (const engines::host::engine_failure& failure) {
    owning_loop().cells().loop.games_failed.add();
    owning_loop().report(rules, plan.game ? plan.game : game_id{setup_.game_ids->next()}, failure);
    refuse_all(plan, refusal::engine_failed, {});
  }
  return std::nullopt;
}

// Games of an engine in its own process run on a separate loop, because they block while they wait
// for that process.
runtime::loop& lobby::loop_for(const engines::host::engine& rules, runtime::loop& opener) const {
  return rules.host() == nullptr ? opener : *(*setup_.engine_loops)[rules.host()->number()];
}

void lobby::track_game(runtime::game_actor table, game_id id, running_games::entry e) {
  if (table) monitor(*runtime::actor_of(table));
  e.proven = static_cast<bool>(table);
  e.kind = setup_.directory->engines[e.engine].kind;
  e.game = std::move(table);
  running_.add(id, std::move(e));
  count_lasting();
}

void lobby::count_lasting() {
  owning_loop().cells().loop.lasting_games.set(static_cast<std::int64_t>(running_.lasting()));
}

void lobby::refuse_all(const pairing& plan, refusal why, const std::string& detail) {
  for (const auto player : plan.players) {
    const auto at = seeks_.find(player);
    if (at == seeks_.end()) continue;
    send_reply(player);
    send(at->second.session, runtime::seek_result{{}, plan.game, why, detail, {}});
    matches_.withdraw(player);
    remove_seek(player);
  }
}

std::optional<bool> lobby::runs_closed(const runtime::seek_request& m) const {
  const auto game = m.what.join;
  if (!game) return std::nullopt;
  if (const auto* runs = running_.find(game)) return runs->closed;
  if (shares_sleepers()) return m.asleep_closed;
  const auto asleep = find_on_file(game);
  return asleep ? std::optional{asleep->closed} : std::nullopt;
}

void lobby::on_down(const caf::down_msg& m) {
  on_game_down(m.source.id());
  // Nothing: it has fallen asleep, so no entry keeps it.
  const auto game = caf::actor_cast<runtime::game_actor>(m.source);
  const auto id = game ? static_cast<const game::game&>(*runtime::actor_of(game)).id() : game_id{};
  // One that is awake again has another actor.
  if (const auto* runs = running_.find(id); runs != nullptr && runs->game == game) {
    const auto gone = running_.remove(id);
    forget_released(gone, id);
    drop_seats(id, gone.sleep().slept);
    finish_wake(id, false);
  }
  count_lasting();
  // Those who waited for room are served before later requests.
  if (matches_.waits_for_room()) return pair_waiting();
  if (running_.size() + 1 != setup_.games_max) return;
  update_room();
  arm_pairing_timer();
}

void lobby::end(runtime::end_game& m) {
  recall(m.game);
  const auto* at = running_.find(m.game);
  if (at != nullptr && !at->awake())
    return wake_game(m.game, metrics::wake_cause::operator_,
                     [this, m](bool awake) mutable { awake ? end(m) : m.found(false); });
  if (at == nullptr && look_for(m)) return;
  if (at != nullptr) send(at->game, runtime::end_request{end_reason::operator_, std::move(m.note)});
  m.found(at != nullptr);
}

void lobby::arm_pairing_timer() {
  const auto when = matches_.next();
  if (!when || (pairing_timer_ && pairing_timer_at_ <= *when)) return;
  owning_loop().timers().cancel(std::exchange(pairing_timer_, {}));
  pairing_timer_at_ = *when;
  pairing_timer_ = arm_timer(*when);
}

void lobby::count_waiting() {
  count_questions();
  auto of_engine = owning_loop().cells().engines.begin();
  for (const auto waiting : matches_.waiting())
    (of_engine++)->players_waiting.set(static_cast<std::int64_t>(waiting));
}

void lobby::on_exit() {
  for (auto& t : {std::exchange(pairing_timer_, {}), early_.clear(), std::exchange(hub_timer_, {}),
                  std::exchange(due_timer_, {}), std::exchange(look_timer_, {}),
                  std::exchange(handover_.timer, {})})
    owning_loop().timers().cancel(t);
  ended_ = true;
  end_keys();
  // Handles of the lobby stay. What it keeps has handles of sessions, which would not end.
  asked_for_.clear();
  joining_.clear();
  players_.clear();
  seeks_.clear();
  waiting_.clear();
  running_.clear();
  sleepers_.clear();
  waking_.clear();
}

}  // namespace gamehub::actors::lobby
