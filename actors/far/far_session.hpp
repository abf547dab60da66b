// The proxy of a session at another hub, its front. A game of this hub has its handle, and so does
// the lobby, as if the player were here. It runs on the loop of the game. The switchboard spawns
// it.
#pragma once

#include "actors/far/switchboard.hpp"
#include "actors/far/unsent.hpp"
#include "actors/runtime/actor_base.hpp"

#include <optional>

namespace gamehub::actors::far {

class far_session final : public runtime::typed_loop_actor<far_session_actor> {
 public:
  // The player gets a seat here: `seated` follows.
  far_session(caf::actor_config&, switchboard&, player_id, member_id front, view_form,
              client_features);
  // The front takes this seat: `take` follows.
  far_session(caf::actor_config&, switchboard&, place, open_game, member_id front);

  const char* name() const override { return "far session"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;
  // The game has ended before the front has left it.
  void on_down(const caf::down_msg&) override;

 private:
  // The numbers of timer_up.
  enum : std::uint64_t { send_timer = 0, front_timer = 1 };

  void on_event(event&);
  void on_seated(const runtime::seated&);
  // Sends what a game that is over sends on request, by its log. Returns false if the log has no
  // end.
  bool show_end(gamehub::far::resend, const journal::game_log&);
  void refuse_ended(const receipt&);
  // Nothing more of the game comes from here.
  void end_with(gamehub::far::message);
  void on_replaced();
  void on_arrived(arrived&);
  void on(gamehub::far::request&);
  void on(const gamehub::far::resend&);
  void on(const gamehub::far::presence&);
  void on(const gamehub::far::rename&);
  void on(const gamehub::far::give_up&);
  void on(const gamehub::far::take&);
  void on_front_lost();
  void on_timeout(std::uint64_t number);
  // Sends the message, or keeps it until the link takes it.
  void tell(gamehub::far::message);
  void send_rest();
  void leave(leave_cause);
  bool try_send(const gamehub::far::message&);
  // The front can't show the game to its player.
  void end_if_too_large();
  void arm(base::timers::token&, std::chrono::milliseconds, std::uint64_t number);

  switchboard& board_;
  const player_id player_;
  const member_id front_;
  place at_;  // no game: not seated yet
  runtime::game_actor game_;
  runtime::session_actor before_;  // that had the seat here
  view_form form_ = view_form::cells;
  client_features features_;
  unsent unsent_;
  bool lost_events_ = false;
  bool front_lost_ = false;
  bool over_ = false;
  bool down_ = false;  // the game is no more
  // What the game may not have answered.
  std::optional<receipt> intent_;
  std::optional<gamehub::far::resend> resend_;
  bool too_large_ = false;
  bool ends_ = false;  // when all is sent
  base::timers::token send_timer_, front_timer_;
};

}  // namespace gamehub::actors::far
