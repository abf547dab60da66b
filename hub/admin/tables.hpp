// What a hub answers to the operator's commands, as lines for a person. Plain functions, any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace gamehub::admin {

// Of POST /games: a line a game, in a cluster with its hub, and how to ask for the next ones.
std::string game_table(std::string_view json);
// Of POST /orders: a line each, in a cluster with the hub that was ordered.
std::string order_table(std::string_view json);
// Of POST /sanctions: a line each.
std::string sanction_table(std::string_view json);
// Of any other: in few words what was done.
std::string words_of_order(std::string_view body);
// Of a command to all hubs of a cluster: a line for each hub that did not answer.
std::string unreached_in(std::string_view body);
// Of a command that was not carried out, the sentence that says why.
std::string complaint_in(std::string_view body);

}  // namespace gamehub::admin
