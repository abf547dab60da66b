// The session actor: one player, its seats, and the attachments it speaks through. It turns intents
// into messages to the lobby and to games, and brings their events back. It outlives attachments
// for the grace time of its wire. Spawned by the reception, which hands its loop's session_setup.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/attachment_ref.hpp"
#include "actors/catalog.hpp"
#include "actors/interfaces.hpp"
#include "actors/pinned.hpp"
#include "actors/player.hpp"
#include "hub/core/entropy.hpp"
#include "hub/core/moderation.hpp"

namespace gamehub::actors {

// What all sessions of one wire on one loop share. Outlives them.
struct session_setup {
  const catalog* directory = nullptr;
  std::uint16_t wire = 0;
  lobby_actor lobby;
  random_source* secrets = nullptr;
  std::atomic<std::uint32_t>* attachment_count = nullptr;  // that stand, over the whole hub
  std::chrono::seconds handshake_time{0};       // zero: no limit
  std::chrono::seconds idle_time{0};            // zero: no limit
  std::chrono::seconds rejoin_time{0};          // after a restart
  const ban_list* rules = nullptr;            // none: everybody may say what they like
};

// The door that leads to a session. `stands` counts the doors that stand.
std::unique_ptr<session_handle> make_door(session_actor, attachment_id, std::atomic<std::uint32_t>& stands);

class session : public typed_loop_actor<session_actor> {
 public:
  // Requires: the client lives on this loop.
  session(caf::actor_config&, session_setup&, player_id, std::shared_ptr<attachment> client);
  // A player from before the hub was away, who has yet to come back.
  session(caf::actor_config&, session_setup&, player_id, std::string name);

  const char* name() const override { return "session"; }
  void on_exit() override;
  void prefetch() const override;

 protected:
  bool receive(caf::message&) override;

 private:
  using place = player<game_actor>::place;

  struct identity {
    std::string name, secret;
  };

  // What a client says while it is not known yet which player it is.
  struct returning {
    std::vector<envelope> said;
    session_actor to;
    bool or_nobody = false;  // it is that player, or none
  };

  void take(envelope&);
  void take(const receipt&, sign_in&);
  void take(const receipt&, seek&);
  void take(const receipt&, play&);
  void take(const receipt&, const leave&);
  void take(const receipt&, chat&);
  void take(const receipt&, const rematch&);
  void take(const receipt&, challenge&);
  void send_seek(const receipt&, seek&, game_id rematch_of);
  void withdraw_seek(const receipt&, game_id);
  void on_event(event&);
  void game_ended(game_id, const outcome&);
  void sit_down(seated&);
  void name_given(named&);
  void start_anew(not_resumed&);
  // Which player this is; what its client said meanwhile is for this one.
  void is_known();
  void place_found(seek_answer&);
  void join(attach_client&);
  void set_wire(std::uint16_t wire);
  void on_detached(attachment_id);
  // Leaves the games and, once the lobby has forgotten this player, the hub.
  void leave_hub();
  void leave_games();
  void be_expelled();
  void on_drain();
  void rest(const parked&);
  // What follows when a game of this player's is over or rests.
  void on_grace_expired();
  void time_is_up(std::uint64_t number);

  void refuse(const receipt&, game_id, refusal, move what = {}, std::string detail = {});
  void deliver(const event&);
  void count(const event&);
  void close_all(close_reason);
  // Sets the one deadline that the player's state asks for: handshake, idle or grace.
  void set_deadline();
  std::string public_name() const;
  metrics::wire_cells& cells() { return home().cells().wires[wire_]; }
  std::chrono::seconds grace() const {
    return awaits_return_ ? setup_.rejoin_time : setup_.directory->wires[wire_].grace;
  }

  session_setup& setup_;
  player_id id_;
  std::uint16_t wire_;  // of the latest attachment
  player<game_actor> player_;
  std::vector<attachment_ref> attachments_;
  std::unique_ptr<identity> identity_;    // of those who signed in
  std::unique_ptr<returning> pending_resume_;  // while the lobby looks for the player of a secret
  bool known_to_lobby_ = false;
  bool received_intent_ = false;
  bool draining_ = false;
  bool leaving_ = false;
  bool banned_ = false;
  bool awaits_return_ = false;  // the hub was away, and the player is not back yet
  timers::token deadline_;
  std::uint64_t deadline_number_ = 0;
};

}  // namespace gamehub::actors
