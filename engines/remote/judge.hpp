// Whether what an engine's process says can be true: the hub believes nothing that it has not held
// against the engine's description and against what it was told before. Each function returns what
// is wrong in words for an operator, or nothing. Plain functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "engines/remote/words.hpp"

namespace gamehub::engines::remote {

// Bytes of one text that an engine gives: a view, an action, a board.
inline constexpr std::size_t text_bytes_max = 1024 * 1024;
inline constexpr std::size_t reason_bytes_max = 64;

// A lower-case word with dashes.
bool is_reason(std::string_view);

// What engine::adopt() does not see: texts that are too long or not printable.
std::string fault(const description&);

// `before`: the match's state until now, if it had one.
std::string fault(const state&, const description&, const state* before);

// Requires: the state is good.
std::string fault(const answer&, const query&, const state&, const description&);

// Of the reply as a whole; its parts are judged one by one.
std::string fault(const reply&, const request&);

}  // namespace gamehub::engines::remote
