// Formats a verdict as text and as JSON. Plain functions, any thread.
#pragma once

#include "engines/check/request.hpp"

#include <cstdint>
#include <string>

namespace gamehub::engines::check {

// The first line states whether the contract is kept and, if not, the first violation.
std::string in_words(const verdict&, const check_request&);
std::string in_json(const verdict&, const check_request&);

// Returns the violated promise and the detail on one line.
std::string sentence_of(const breach&);

// Formats nanoseconds as "12.3 ms".
std::string milliseconds_in_words(std::int64_t nanoseconds);

// Returns the command that reproduces the violation.
std::string command_again(const breach&, const check_request&);

}  // namespace gamehub::engines::check
