// Compares the request `play` of a program with the requests that it replaces: what a client's text
// means, and `apply`. A hub sends `play` for each move of a client, and `engine check` otherwise
// sends the single requests, whose failures name one function. Used by one thread.
#pragma once

#include "engines/contract/contract.hpp"
#include "engines/process/direct_channel.hpp"

#include <functional>
#include <vector>

namespace gamehub::engines::check {

struct play_comparison {
  std::vector<contract::violation> found;  // the first one ends the comparison
  int games = 0;                           // that were compared to their ends
};

// Plays random games with `play`, and the same games with single requests. Before a move it also
// plays moves that are refused, and moves that are dropped, as a hub does if a move does not count.
// `in_play` is called with true before each request `play`, and with false after it. Requires: the
// program speaks a version with `play`.
play_comparison compare_play(const process::opened_program&, const contract::settings&,
                             const std::function<void(bool)>& in_play);

}  // namespace gamehub::engines::check
