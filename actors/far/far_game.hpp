// The proxy of a game at another hub. A session of this hub has its handle, and plays by it as if
// the game were here. It runs on the loop of that session. The switchboard spawns it.
#pragma once

#include "actors/far/switchboard.hpp"
#include "actors/far/unsent.hpp"
#include "actors/runtime/actor_base.hpp"
#include "hub/far/front_seat.hpp"

namespace gamehub::actors::far {

class far_game final : public runtime::typed_loop_actor<far_game_actor> {
 public:
  // How long a hub that does not have the game yet is left alone, and how long its answer may take.
  static constexpr std::chrono::milliseconds ask_again_after{250}, answer_max{5'000};

  far_game(caf::actor_config&, switchboard&, runtime::session_actor, const gamehub::far::seated&,
           member_id host);

  const char* name() const override { return "far game"; }
  void on_exit() override;

 protected:
  bool receive(caf::message&) override;

 private:
  using output = gamehub::far::front_seat::output;
  // The numbers of timer_up.
  enum : std::uint64_t { send_timer = 0, ask_timer = 1, patience_timer = 2 };

  // Calls `change` with an output, and carries it out.
  template <class Change>
  void update(Change change);
  void request(const receipt&, gamehub::far::game_intent);
  void on_leave(const runtime::leave_request&);
  void on_arrived(arrived&);
  void on_taken(const gamehub::far::taken&, output&);
  void wait_for_host();
  void follow(member_id host);
  void ask();
  void on_turn();
  void on_timeout(std::uint64_t number);
  bool try_send(const gamehub::far::message& m) {
    return board_.send(seat_.host(), m, owning_loop().clock()) != switchboard::sending::later;
  }
  void arm(base::timers::token&, std::chrono::milliseconds, std::uint64_t number);

  switchboard& board_;
  runtime::session_actor session_;  // null: the player is not here
  gamehub::far::front_seat seat_;
  unsent unsent_;
  member_id next_host_;
  bool ended_ = false;  // when all is sent
  base::timers::token send_timer_, ask_timer_, patience_timer_;
};

}  // namespace gamehub::actors::far
