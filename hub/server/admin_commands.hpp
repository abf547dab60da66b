// Executes the operator's commands: stores bans and mutes and applies them on all loops, lists
// games, and broadcasts messages. Logs each change. Owned by the composition; the admin server's
// thread calls it while the loops run.
#pragma once

#include "actors/system/runtime.hpp"
#include "hub/admin/commands.hpp"
#include "hub/league/arena.hpp"
#include "hub/server/listeners.hpp"
#include "hub/server/loop_threads.hpp"
#include "hub/server/sanction_service.hpp"

#include <functional>

namespace gamehub::server {

class admin_commands {
 public:
  // All arguments outlive it.
  admin_commands(sanction_service& sanctions, actors::system::runtime& runtime, listeners& to,
                 loop_threads& loops, league::arena& league)
      : sanctions_(sanctions), runtime_(runtime), listeners_(to), loops_(loops), league_(league) {}

  using done = std::function<void(admin::command_answer)>;

  // Disconnects all who are banned now. Any thread.
  void apply_bans();

  // Executes a command. Calls `done` once, within the call or later from a loop or the thread of
  // the bans and mutes.
  void carry_out(const admin::operator_command&, const done&);

 private:
  void list_games(const admin::operator_command&, const done&);
  void show_game(const admin::operator_command&, const done&);
  void list_players(const admin::operator_command&, const done&);
  void change_sanctions(const admin::operator_command&, const done&);
  admin::command_answer impose(moderation::sanction_store&, const admin::operator_command&,
                               moderation::sanction::kind);
  admin::command_answer lift(moderation::sanction_store&, const admin::operator_command&,
                             moderation::sanction::kind);
  admin::command_answer broadcast(const admin::operator_command&);
  void forget_bots(const admin::operator_command&, const done&);

  sanction_service& sanctions_;
  actors::system::runtime& runtime_;
  listeners& listeners_;
  loop_threads& loops_;
  league::arena& league_;
};

}  // namespace gamehub::server
