// Part of the conformance suite: the view of a viewer depends only on the information that the
// viewer may have. Two games with the same observed history must have the same view. Owned by one
// run and used by its thread.
#pragma once

#include "engines/contract/report.hpp"
#include "engines/host/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// Returns all seats and the spectator.
std::vector<int> viewers(const host::match& m);

// "seat 1", "chance", "a spectator"
std::string name_of(int seat);

// Returns all output for a viewer as one text.
std::string view_for(const host::match& m, int viewer);

// Follows games and stores the first view for each observed history of a viewer.
class information_leak_check {
 public:
  information_leak_check(const host::engine& rules, report& out, bool reveals_midway)
      : rules_(rules), out_(out), reveals_midway_(reveals_midway) {}

  // Starts a game, which `seed` and `with` determine.
  void begin(const host::match& m, std::uint64_t seed, const game_setup& with);
  // Called before and after an action is applied.
  void before(const host::match& m, int seat, action a);
  void after(const host::match& m);

 private:
  struct observed_history {
    std::string shown;
    std::uint64_t seed;
    std::size_t plies;
  };

  void remember(const host::match& m);
  void report_leak(const host::match& m, int viewer, const std::string& shown,
                   const observed_history& before);
  void check_alternatives(const host::match& m, int seat, action a);
  void compare(const host::match& m, const host::match& mine, const host::match& twin, int seat,
               action a, action other);

  const host::engine& rules_;
  report& out_;
  bool reveals_midway_;
  bool trusted_ =
      true;  // False after an action may have revealed information that the history lacks.
  // By viewer: the observed history, and the hidden actions of the current turn.
  std::map<int, std::string> knowledge_;
  std::map<int, std::string> hidden_this_turn_;
  std::uint64_t seed_ = 0;
  std::size_t plies_ = 0;
  // From viewer and history to the first view, over all games of the run.
  std::map<std::string, observed_history> seen_;
};

}  // namespace gamehub::engines::contract
