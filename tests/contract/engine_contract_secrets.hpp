// Inside the engine contract: what a viewer sees may depend on what that viewer may know, and on
// nothing else. Two games that look the same to someone so far must show the same. Owned by one
// run, used by its thread.
#pragma once

#include "engines/engine.hpp"
#include "tests/contract/engine_contract_report.hpp"

#include <map>
#include <string>
#include <vector>

namespace gamehub::tests {

// All seats and the spectator.
std::vector<int> viewers_of(const engines::match& m);

// Everything that is shown to a viewer, as one text.
std::string shown_to(const engines::match& m, int viewer);

// Follows games, and remembers for everything that a viewer has come to know what it saw then.
class secrets {
 public:
  secrets(const engines::engine& rules, report& out, bool reveals_midway)
      : rules_(rules), out_(out), reveals_midway_(reveals_midway) {}

  void begin(const engines::match& m);
  // Call before and after the action is applied.
  void before(const engines::match& m, int seat, engines::action a);
  void after(const engines::match& m);

 private:
  void remember(const engines::match& m);
  void try_twins(const engines::match& m, int seat, engines::action a);

  const engines::engine& rules_;
  report& out_;
  bool reveals_midway_;
  bool trusted_ = true;  // False once something may have been revealed that the history lacks.
  // What each viewer knows of this game, and what was hidden from it in a turn that still runs.
  std::map<int, std::string> knows_;
  std::map<int, std::string> hidden_this_turn_;
  // From viewer and knowledge to what was shown, over all games of the run.
  std::map<std::string, std::string> seen_;
};

}  // namespace gamehub::tests
