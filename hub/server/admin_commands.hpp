// Executes the operator's commands: stores bans and mutes and applies them on all loops, lists
// games, ends them, and broadcasts messages. Logs each change. In a cluster with links it asks the
// other hubs too, and answers what they ask. Owned by the composition; the admin server's thread
// and that of cluster_orders call it while the loops run.
#pragma once

#include "actors/system/runtime.hpp"
#include "hub/admin/admin.hpp"
#include "hub/admin/commands.hpp"
#include "hub/league/arena.hpp"
#include "hub/server/cluster_orders.hpp"
#include "hub/server/listeners.hpp"
#include "hub/server/loop_threads.hpp"
#include "hub/server/sanction_service.hpp"

#include <functional>
#include <optional>
#include <string>

namespace gamehub::server {

class admin_commands {
 public:
  // All arguments outlive it.
  admin_commands(sanction_service& sanctions, actors::system::runtime& runtime, listeners& to,
                 loop_threads& loops, league::arena& league)
      : sanctions_(sanctions), runtime_(runtime), listeners_(to), loops_(loops), league_(league) {}

  using done = std::function<void(admin::command_answer)>;
  // As admin_sources::found.
  using ended = std::function<void(std::optional<bool>)>;

  // From now on commands concern all hubs. `orders` gives the list of the orders to this one. Both
  // outlive it. Called before the admin server starts.
  void join(cluster_orders&, std::function<void(const done&)> orders);

  // Disconnects all who are banned now. Any thread.
  void apply_bans();

  // Executes a command. Calls `done` once, within the call or later from a loop or the thread of
  // the bans and mutes.
  void carry_out(const admin::operator_command&, const done&);

  // Ends a game for a reason. Calls `ended` as carry_out().
  void end_game(game_id, const std::string& reason, const ended&);

  // True while another hub has the arena of the cluster. ask_arena() asks it for a page; requires:
  // join() was called.
  bool arena_is_elsewhere() const;
  void ask_arena(const admin::league_request&, const std::function<void(admin::page)>& done);

  // Adds the orders to other hubs to those to this one. Requires: join() was called.
  void list_orders(const admin::command_answer& own, const done&);

 private:
  // The part of this hub, for another one.
  void answer(const relay::order&, const done&);
  void carry_out_here(const admin::operator_command&, bool only_open, const done&);
  void carry_out_at_all(const admin::operator_command&, const done&);
  void ask_league(relay::order, const done&);
  void end_here(game_id, const std::string& reason, const std::function<void(bool)>& runs);
  void list_games(const admin::operator_command&, bool only_open, const done&);
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
  cluster_orders* orders_ = nullptr;  // null: this hub is alone
  std::function<void(const done&)> orders_here_;
};

}  // namespace gamehub::server
