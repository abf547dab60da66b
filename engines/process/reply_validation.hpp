// Validates replies of an engine process against the description of the engine and against earlier
// replies, because the hub does not trust that process. Each function returns the error text for
// the operator, or an empty string. Plain functions, any thread.
#pragma once

#include "engines/process/wire_format.hpp"

#include <string>
#include <string_view>

namespace gamehub::engines::process {

// Maximum bytes of one text of an engine: a view, an action, a board.
inline constexpr std::size_t text_bytes_max = 1024 * 1024;
inline constexpr std::size_t reason_bytes_max = 64;

// True for a lower-case word with dashes.
bool is_reason(std::string_view);

// Checks what engine::adopt() does not: texts that are too long or not printable.
std::string validate(const description&);

// `before` is the previous state of the match, or null.
std::string validate(const state_summary&, const description&, const state_summary* before);

// The state is valid.
std::string validate(const query_result&, const query&, const state_summary&, const description&);

// Checks the reply as a whole. The other functions check its parts.
std::string validate(const reply&, const request&);

}  // namespace gamehub::engines::process
