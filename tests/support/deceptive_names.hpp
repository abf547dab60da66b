// Names that imitate the operator or an engine player, show nothing, or hold what a terminal
// obeys. No wire may take one of them as it came.
#pragma once

#include <array>
#include <string_view>

namespace gamehub::tests {

inline constexpr std::array<std::string_view, 26> deceptive_names{
    "operator",
    "Operator",
    "OPERATOR",
    "operator\u200b",
    "operator\u2060",
    "operator\ufe0f",
    "operator\u00ad",
    "operator\U000E0041",
    "operator\u00a0",
    "\u03bfperator",  // a Greek omicron
    "oper\u0430tor",  // a Cyrillic a
    "\uff4f\uff50\uff45\uff52\uff41\uff54\uff4f\uff52",
    "operator\u034f",
    "\u3164",
    "\u200b",
    "\u2800",
    "engine (perfect)",
    "Engine (perfect)",
    "bot:minimax",
    "ann\u202e",
    "ann\u2066",
    "ann\u2028",
    "ann\u0085",
    "a\u009b31mred",
    "ann\u200e",
    "ann ",
};

}  // namespace gamehub::tests
