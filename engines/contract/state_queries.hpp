// Part of the conformance suite: all queries about one state, and the checks of their results.
// Owned by one run and used by its thread.
#pragma once

#include "engines/contract/report.hpp"
#include "engines/dice.hpp"
#include "engines/host/engine.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::engines::contract {

// One query of a state: "the hash", "the saved bytes", "what seat 0 sees".
struct aspect {
  std::string name;
  std::string value;
};

inline constexpr std::string_view saved_bytes = "the saved bytes";

// Returns all query results of a state, to compare two states.
std::vector<aspect> aspects_of(const host::match&);

// Returns the part of a long text that differs from another.
std::string difference_part(const std::string& text, const std::string& other);

// Returns the first result of `here` that is another in `there`, with both; empty: none.
std::string difference(const std::vector<aspect>& here, const std::vector<aspect>& there);

// Returns the text of a failure with the function of abi.h, if it is known.
std::string failure_detail(const host::engine_failure&);

// Returns why apply() has just refused the action with this text, or how the engine failed in it.
std::string refused_action(const host::match&, const std::string& text, std::string_view why);

// The seed of the trials at a state. It differs from the seed of the game, so that trials do not
// change the game of a seed.
inline constexpr std::uint64_t trial_seed = 0x7472'6961'6c73;

class state_queries {
 public:
  // `d` selects the trials.
  state_queries(const host::engine& rules, report& out, rng& d)
      : rules_(rules), out_(out), dice_(d) {}

  // Check a state of a running match, or of one that has just ended.
  void ask_running(const host::match&);
  void ask_over(const host::match&);

 private:
  bool shape(const host::match&);
  void views(const host::match&);
  void clones(const host::match&);
  void spelling(const host::match&, int seat, action);
  void refusals(const host::match&);
  // Records a violation of the promise if a result is another than it was.
  void same(const std::vector<aspect>& was, const host::match& now, std::string_view promise,
            const std::string& before_detail = {});
  void finds_no_failure(const host::match&, const char* function, const host::match::parsed&,
                        const std::string& text);
  void refuses_all(const host::match&, int seat, const std::vector<action>& tried);
  void words(const host::match&);
  void cells(const host::match&);
  void saving(const host::match&);
  void play_restored(host::match, const std::string& bytes);
  void player(const host::match&);
  void choice(const host::match&, int seat, const play_style&);

  const host::engine& rules_;
  report& out_;
  rng& dice_;
  // Plies of matches from damaged bytes so far.
  std::size_t plies_restored_ = 0;
};

}  // namespace gamehub::engines::contract
