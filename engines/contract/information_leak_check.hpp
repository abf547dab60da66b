// Inside the engine contract: what a viewer sees may depend on what that viewer may know, and on
// nothing else. Two games that look the same to someone so far must show the same. Owned by one
// run, used by its thread.
#pragma once

#include "engines/contract/report.hpp"
#include "engines/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gamehub::engines::contract {

// All seats and the spectator.
std::vector<int> viewers(const match& m);

// "seat 1", "chance", "a spectator"
std::string name_of(int seat);

// Everything that is shown to a viewer, as one text.
std::string view_for(const match& m, int viewer);

// Follows games, and remembers for everything that a viewer has come to know what it saw then.
class secrets {
 public:
  secrets(const engine& rules, report& out, bool reveals_midway)
      : rules_(rules), out_(out), reveals_midway_(reveals_midway) {}

  // With the seed that the game is played from, and how it was created.
  void begin(const match& m, std::uint64_t seed, const set_up& with);
  // Call before and after the action is applied.
  void before(const match& m, int seat, action a);
  void after(const match& m);

 private:
  struct observed_history {
    std::string shown;
    std::uint64_t seed;
    std::size_t plies;
  };

  void remember(const match& m);
  void tell(const match& m, int viewer, const std::string& shown, const observed_history& before);
  void check_alternatives(const match& m, int seat, action a);
  void compare(const match& m, const match& mine, const match& twin, int seat, action a,
               action other);

  const engine& rules_;
  report& out_;
  bool reveals_midway_;
  bool trusted_ = true;  // False once something may have been revealed that the history lacks.
  // What each viewer knows of this game, and what was hidden from it in a turn that still runs.
  std::map<int, std::string> knowledge_;
  std::map<int, std::string> hidden_this_turn_;
  std::uint64_t seed_ = 0;
  std::size_t plies_ = 0;
  // From viewer and knowledge to what was shown first, over all games of the run.
  std::map<std::string, observed_history> seen_;
};

}  // namespace gamehub::engines::contract
