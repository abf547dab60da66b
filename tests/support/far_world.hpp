// Hubs of a cluster on manual loops with links between them, for tests of far handles: real games,
// journals with late commits, and players whose games are at another hub. Links lose nothing, are
// slow, and take few messages at a time. Used on one thread.
#pragma once

#include "actors/far/switchboard.hpp"
#include "actors/game/game.hpp"
#include "actors/runtime/actor_base.hpp"
#include "actors/table/replay.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/late_journal.hpp"
#include "tests/support/test_hub.hpp"

#include <caf/exit_reason.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gamehub::tests {

using actors::runtime::session_actor;
using gamehub::far::member_id;

// What a session was told.
struct session_notes {
  std::optional<actors::runtime::seated> seat;
  std::vector<event> events;
  int suspended = 0;
  bool ended = false;
};

// Takes the place of a session: notes what it is told, and leaves when its game is over.
class noting_session final : public actors::runtime::typed_loop_actor<session_actor> {
 public:
  noting_session(caf::actor_config& config, session_notes& to)
      : typed_loop_actor(config), notes_(to) {}

  const char* name() const override { return "noting session"; }

 protected:
  bool receive(caf::message& what) override {
    return dispatch(
        what,
        std::tuple{
            [this](event& e) { note(e); }, [this](actors::runtime::seated& m) { notes_.seat = m; },
            [this](const actors::runtime::game_suspended&) { ++notes_.suspended; },
            [](const envelope&) {}, [](const actors::runtime::name_assigned&) {},
            [](const actors::runtime::name_changed&) {},
            [](const actors::runtime::resume_accepted&) {},
            [](const actors::runtime::resume_failed&) {},
            [](const actors::runtime::seek_result&) {},
            [](const actors::runtime::player_removed&) {},
            [](const actors::runtime::attach_client&) {}, [](const actors::runtime::detached&) {},
            [](const actors::runtime::client_presence&) {},
            [](const actors::runtime::ban_session&) {}, [](const actors::runtime::drain&) {},
            [](const actors::runtime::timer_up&) {}});
  }

 private:
  void note(event& e) {
    const auto* p = std::get_if<position_ref>(&e.what);
    if (p != nullptr && (*p)->outcome && notes_.seat && !std::exchange(notes_.ended, true))
      send(notes_.seat->game, actors::runtime::leave_request{notes_.seat->seat, {}});
    notes_.events.push_back(std::move(e));
  }

  session_notes& notes_;
};

class far_world {
 public:
  static constexpr game_id game{7};

  struct hub {
    hub(far_world& world, member_id self)
        : id(self),
          board({self,
                 [&world, self](member_id to, std::string m) {
                   return world.carry(self, to, std::move(m));
                 },
                 &actors_of.directory(), &log, &actors_of.loop(0)}) {
      setup.directory = &actors_of.directory();
      setup.log = &log;
      setup.random = &random;
      setup.rejoin_time = std::chrono::seconds{60};
    }

    const member_id id;
    bool lives = true;
    test_hub actors_of;
    late_journal log{false};
    base::seeded_entropy random{1};
    actors::game::game_setup setup;
    actors::far::switchboard board;
    actors::runtime::game_actor table;
  };

  // One player: its session is at `front`.
  struct player {
    player_id id;
    hub* front = nullptr;
    session_notes notes;
    session_actor session;
    ticket last = 0;
  };

  explicit far_world(std::size_t hubs) {
    static const bool once = [] {
      actors::far::init_messages();
      return true;
    }();
    static_cast<void>(once);
    for (std::size_t i = 0; i < hubs; ++i)
      hubs_.push_back(std::make_unique<hub>(*this, member_id{i + 1}));
  }

  ~far_world() {
    link_takes = true;
    for (auto& p : players) {
      if (p.notes.seat)
        caf::anon_send(p.notes.seat->game, actors::runtime::leave_request{p.notes.seat->seat, {}});
      if (p.session) caf::anon_send_exit(p.session, caf::exit_reason::kill);
      p.notes.seat.reset();
      p.session = nullptr;
    }
    for (auto& each : restored) each.seat.reset();
    for (auto& w : waiting_) caf::anon_send_exit(w, caf::exit_reason::kill);
    waiting_.clear();
    for (auto& h : hubs_) {
      h->lives = true;
      h->board.close(game);
      h->log.be_late(false);
      for (auto& p : players) h->board.forget(p.id);
      if (h->table) caf::anon_send_exit(h->table, caf::exit_reason::kill);
      h->table = nullptr;
      for (std::uint64_t i = 1; i <= hubs_.size(); ++i) h->board.on_gone({i});
    }
    links_.clear();
    pass(std::chrono::seconds{125});
  }

  hub& operator[](std::size_t i) { return *hubs_[i]; }
  std::array<player, 2> players;
  // The sessions at an adopter that wait for the same players.
  std::array<session_notes, 2> restored;
  // How many messages a link takes until some are delivered; false: none.
  std::size_t link_room = 1'000;
  bool link_takes = true;

  // A new game of two players of `fronts` at the first hub.
  void begin(hub& first, hub& second, const std::string& engine = "tictactoe") {
    auto& at = (*this)[0];
    const auto number = at.actors_of.engine(engine);
    const auto& rules = at.actors_of.directory().engines[number].rules;
    std::vector<actors::game::game_player> seats;
    for (std::size_t i = 0; i < 2; ++i) {
      auto& p = players[i];
      p.id = {100 + i};
      p.front = i == 0 ? &first : &second;
      auto& home = p.front->actors_of.loop(0);
      p.session = actors::runtime::spawn_on<noting_session>(home, p.notes);
      p.front->board.expect(p.id, p.session, home);
      auto far =
          at.board.make_far_session(at.actors_of.loop(0), p.id, p.front->id, view_form::cells, {});
      seats.push_back({std::move(far),
                       {p.id, i == 0 ? "ann" : "bob", view_form::cells, true},
                       {"digest" + std::to_string(i), "cells"}});
    }
    auto match = std::get<engines::host::match>(rules.prepare(""));
    const auto sessions = std::pair{seats[0].session, seats[1].session};
    at.table = actors::runtime::spawn_on<actors::game::game>(
        at.actors_of.loop(0), at.setup, game, number, std::string{}, std::move(match),
        std::move(seats), clock_rule{});
    caf::anon_send(sessions.first, actors::runtime::seated{at.table, game, number, 0});
    caf::anon_send(sessions.second, actors::runtime::seated{at.table, game, number, 1});
    caf::anon_send(at.table, actors::runtime::begin_game{});
  }

  // The hub is dead: what it had not written is lost, and some of what it had sent.
  void kill(hub& h, std::size_t undelivered = 0) {
    h.lives = false;
    for (auto& [way, queue] : links_) {
      if (way.first == h.id && queue.size() > undelivered) queue.resize(undelivered);
      if (way.second == h.id) queue.clear();
    }
  }
  // Returns false if the log has an end, so that no hub continues the game.
  bool adopt(hub& dead, hub& by) {
    const auto left = dead.log.left_behind()->find(game);
    REQUIRE(left);
    if (left->records.back().what == journal::record::kind::ended) return false;
    const auto number =
        *by.actors_of.directory().find_engine(left->header.engine, left->header.engine_version);
    const auto& rules = by.actors_of.directory().engines[number].rules;
    actors::game::restored_game_state was{
        std::get<engines::host::match>(actors::table::replay(rules, left->header, left->records)),
        {},
        left->records,
        {}};
    actors::far::open_game open;
    for (const auto& r : journal::seats_of(left->records)) {
      const player_id id{static_cast<std::uint64_t>(r.action)};
      was.seats.push_back({id, r.text, view_form::cells, true});
      // In place of the session that the lobby restores, which waits for the client.
      open.seats.push_back({id, actors::runtime::spawn_on<noting_session>(
                                    by.actors_of.loop(0), restored[open.seats.size()])});
    }
    by.log.be_late(false);
    by.log.open(left->header);
    by.log.append(game, left->records, nobody_);
    by.table = actors::runtime::spawn_on<actors::game::game>(by.actors_of.loop(0), by.setup, game,
                                                             number, std::move(was));
    open.game = by.table;
    for (std::size_t i = 0; i < open.seats.size(); ++i) {
      const auto& session = open.seats[i].session;
      const auto seat = static_cast<seat_index>(i);
      caf::anon_send(by.table, actors::runtime::reserve_seat{seat, session});
      caf::anon_send(session, actors::runtime::seated{by.table, game, number, seat, true});
      waiting_.push_back(session);
    }
    open.home = &by.actors_of.loop(0);
    by.board.open(game, std::move(open));
    caf::anon_send(by.table, actors::runtime::begin_game{});
    return true;
  }

  // Delivers the oldest message of a link. Returns false if all links are empty.
  bool deliver(std::size_t any) {
    std::vector<decltype(links_)::value_type*> ready;
    for (auto& each : links_)
      if (!each.second.empty()) ready.push_back(&each);
    if (ready.empty()) return false;
    auto& [way, queue] = *ready[any % ready.size()];
    const auto bytes = std::move(queue.front());
    queue.pop_front();
    auto& to = (*this)[way.second.value - 1];
    if (to.lives)
      CHECK_FALSE(to.board.on_message(way.first, bytes, to.actors_of.now()).has_value());
    return true;
  }

  // Runs until nothing is left to do at this time.
  void settle() {
    do {
      for (auto& h : hubs_)
        if (h->lives) h->actors_of.settle();
    } while (deliver(0));
  }
  void pass(std::chrono::milliseconds time) {
    constexpr std::chrono::milliseconds step{500};
    settle();
    for (; time.count() > 0; time -= step) {
      for (auto& h : hubs_)
        if (h->lives) h->actors_of.advance(std::min(time, step));
      settle();
    }
  }

  // Sends an intent of the player to its game. Returns its ticket.
  template <class Request>
  ticket submit(player& p, Request what) {
    what.seat = p.notes.seat->seat;
    what.receipt = {attachment_id{p.id.value}, {}, p.front->actors_of.now(), ++p.last};
    caf::anon_send(p.notes.seat->game, std::move(what));
    return p.last;
  }
  ticket play(player& p, std::int64_t cell) {
    return submit(p, actors::runtime::play_request{0, {}, {move::form::cell, cell, {}}});
  }

 private:
  struct deaf final : journal::commit_listener {
    void committed(std::span<const journal::commit>) override {}
  };

  bool carry(member_id from, member_id to, std::string bytes) {
    auto& queue = links_[{from, to}];
    if (!(*this)[from.value - 1].lives || !(*this)[to.value - 1].lives) return false;
    if (!link_takes || queue.size() >= link_room) return false;
    queue.push_back(std::move(bytes));
    return true;
  }

  deaf nobody_;
  std::vector<session_actor> waiting_;
  std::map<std::pair<member_id, member_id>, std::deque<std::string>> links_;
  std::vector<std::unique_ptr<hub>> hubs_;
};

// The answers with this ticket.
inline std::vector<const event*> answers_of(const far_world::player& p, ticket number) {
  std::vector<const event*> out;
  for (const auto& e : p.notes.events)
    if (e.answers.ticket == number) out.push_back(&e);
  return out;
}

inline const position* position_of(const far_world::player& p) {
  for (auto e = p.notes.events.rbegin(); e != p.notes.events.rend(); ++e)
    if (const auto* found = std::get_if<position_ref>(&e->what)) return found->get();
  return nullptr;
}

}  // namespace gamehub::tests
