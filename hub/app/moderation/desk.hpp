// Where the operator's commands are carried out: bans and mutes go into the book and are put in
// force on all loops, games are listed, a message goes to all who can be told. What is done is
// logged. Owned by the hub; the admin server's thread calls it while the loops run.
#pragma once

#include <functional>

#include "actors/runtime.hpp"
#include "hub/app/admin/commands.hpp"
#include "hub/app/entrances.hpp"
#include "hub/app/loop_threads.hpp"
#include "hub/app/moderation/book.hpp"

namespace gamehub::app {

class operator_desk {
 public:
  // All of them outlive it.
  operator_desk(moderation_book& book, actors::runtime& runtime, entrances& doors,
                loop_threads& loops)
      : book_(book), runtime_(runtime), doors_(doors), loops_(loops) {}

  using done = std::function<void(command_answer)>;

  // `done` is called once, here or later from a loop.
  void carry_out(const operator_command&, const done&);

 private:
  void list_games(const operator_command&, const done&);
  command_answer impose(const operator_command&, sanction::kind);
  command_answer lift(const operator_command&, sanction::kind);
  command_answer say(const operator_command&);
  void put_in_force();

  moderation_book& book_;
  actors::runtime& runtime_;
  entrances& doors_;
  loop_threads& loops_;
};

}  // namespace gamehub::app
