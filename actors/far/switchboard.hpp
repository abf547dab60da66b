// The far handles of one hub: which far games its sessions have, which far sessions its games have,
// and which messages of links belong to which of them. Owned by the composition; it outlives the
// actors and any thread may call it. Actors send by it; what arrives it passes to the actors.
#pragma once

#include "actors/far/interfaces.hpp"
#include "actors/runtime/loop.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/far/codec.hpp"
#include "hub/far/take_turns.hpp"
#include "hub/journal/journal.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gamehub::actors::far {

struct switchboard_options {
  member_id self;
  // Sends a message to another member. Returns false if it can't be sent now: its link takes no
  // more, or it is gone. Any thread calls it.
  std::function<bool(member_id, std::string)> send;
  const table::engine_directory* directory = nullptr;
  const journal::journal* log = nullptr;
  // Of proxies without a session, which give seats back.
  runtime::loop* home = nullptr;
  // How long a seat waits for a hub that continues its game, and for another front of its player.
  std::chrono::seconds patience{120};
};

// A game of this hub whose seats fronts may take: it was restored here, and its players wait for
// their clients. The sessions of the seats, which wait for the same, lose them; null: none.
struct open_game {
  struct seat {
    player_id player;
    runtime::session_actor session;
  };
  runtime::game_actor game;
  runtime::loop* home = nullptr;
  std::vector<seat> seats;
};

class switchboard {
 public:
  struct numbers {
    std::uint64_t sent = 0, received = 0;
    std::uint64_t unsent = 0;     // refused by the link, and tried again
    std::uint64_t wrong = 0;      // no messages
    std::uint64_t stray = 0;      // for a seat that is not, or not any more, of the sender
    std::uint64_t too_large = 0;  // events that no message can have
    std::uint64_t far_games = 0, far_sessions = 0;
  };

  explicit switchboard(switchboard_options);
  switchboard(const switchboard&) = delete;
  switchboard& operator=(const switchboard&) = delete;

  // Other hubs may seat this player: its session gets the handle of the far game. Until forget().
  void expect(player_id, runtime::session_actor, runtime::loop&);
  void forget(player_id);

  // Returns the handle of a session at another hub, for the lobby and a game of this hub on that
  // loop. It has its seat when it gets `seated`.
  runtime::session_actor make_far_session(runtime::loop&, player_id, member_id front, view_form,
                                          client_features);

  // Fronts may take the seats of this game, or not any more.
  void open(game_id, open_game);
  void close(game_id);

  // A message of another member; the time is that of this call. Returns what is wrong with it, for
  // a log.
  std::optional<gamehub::far::fault> on_message(member_id from, std::string_view, base::instant);
  // The member is gone. Its games wait until they are at another one; its sessions lose their
  // seats after a while.
  void on_gone(member_id);
  // The games of a member that is gone are, or soon will be, at this one.
  void on_adopted(member_id gone, member_id by);
  // One game of this hub goes on at that member: its fronts follow it there.
  // Called before the game is suspended.
  void on_moved(game_id, member_id to);

  numbers count() const;

  // Of the proxies.
  enum class sending : std::uint8_t { done, later, too_large };
  sending send(member_id to, const gamehub::far::message&, base::instant now);
  void ask_turn(member_id host, place, bool urgent);
  void turn_done(place);
  void set_host(place, member_id);
  void add(place, far_session_actor, member_id front);
  void remove_game(place, const far_game_actor&);
  void remove_session(place, const far_session_actor&);
  void stray();
  const switchboard_options& options() const { return options_; }

 private:
  struct front_entry {
    far_game_actor game;
    member_id host;
  };
  struct host_entry {
    far_session_actor session;
    member_id front;
  };
  struct expected {
    runtime::session_actor session;
    runtime::loop* home;
  };

  void to_game(member_id from, gamehub::far::message);
  void to_session(member_id from, gamehub::far::message, base::instant);
  void on_seated(member_id from, const gamehub::far::seated&);
  void on_take(member_id from, const gamehub::far::take&, base::instant);
  void give_turns(const std::vector<place>&);

  const switchboard_options options_;
  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::unordered_map<player_id, expected> expected_;
  std::unordered_map<place, front_entry> games_;
  std::unordered_map<place, host_entry> sessions_;
  std::unordered_map<game_id, open_game> open_;
  gamehub::far::take_turns turns_;
  std::set<member_id> gone_;  // 8 bytes for each life of a hub
  numbers numbers_;
};

// Registers the message types of the proxies. Called before the actor system is made.
void init_messages();

}  // namespace gamehub::actors::far
