// What a child process does before anything else: it takes on the bounds that its parent wrote into
// its arguments, ties its life to the parent's, and enters the sandbox. First thing in main(), on
// the only thread.
#pragma once

#include "hub/base/child_process.hpp"
#include "hub/base/sandbox.hpp"

#include <string>
#include <string_view>

namespace gamehub::base {

// The word that makes a program a child; the next one are its bounds, then come its own arguments.
inline constexpr std::string_view child_word = "as-child";

// The bounds as one word, for a child of this process.
std::string in_one_word(const child_limits&, const sandbox_policy&);

// Takes both words out of the arguments and keeps to what they say; without them nothing happens.
// Ends the program if they say nothing, or if the parent is gone.
void enter_child(int& argc, char**& argv);

// The parts of the sandbox that this process entered.
const sandbox_parts& entered_sandbox();

}  // namespace gamehub::base
