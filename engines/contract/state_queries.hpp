// Inside the engine contract: all that can be asked of one state, and what the answers must be.
// Owned by one run, used by its thread.
#pragma once

#include "engines/contract/report.hpp"
#include "engines/dice.hpp"
#include "engines/engine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// Everything about a state that can be asked, to see that nothing changed or all is the same.
std::string state_fingerprint(const match&);

// What is tried at a state is drawn apart from what is played, so that the game of a seed is the
// same when nothing is tried.
inline constexpr std::uint64_t trial_seed = 0x7472'6961'6c73;

class state_queries {
 public:
  // Draws with the dice what it tries.
  state_queries(const engine& rules, report& out, dice& d) : rules_(rules), out_(out), dice_(d) {}

  // All that can be asked of a state of a match that runs, or that has just ended.
  void ask_running(const match&);
  void ask_over(const match&);

 private:
  bool shape(const match&);
  void views(const match&);
  void clones(const match&);
  void spelling(const match&, int seat, action);
  void refusals(const match&);
  void refuses_all(const match&, int seat, const std::vector<action>& tried);
  void words(const match&);
  void cells(const match&);
  void saving(const match&);
  void play_restored(match, const std::string& bytes);
  void player(const match&);
  void choice(const match&, int seat, const play_style&);

  const engine& rules_;
  report& out_;
  dice& dice_;
};

}  // namespace gamehub::engines::contract
