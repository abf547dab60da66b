// How a verdict is said, to people and to programs. Plain functions, any thread.
#pragma once

#include <cstdint>
#include <string>

#include "hub/app/kit/request.hpp"

namespace gamehub::app::kit {

// The first line says whether the contract was kept and, where not, what was broken first.
std::string in_words(const verdict&, const check_request&);
std::string in_json(const verdict&, const check_request&);

// The promise, and how it was broken, on one line.
std::string sentence_of(const breach&);

// "12.3 ms", of nanoseconds.
std::string milliseconds_in_words(std::int64_t nanoseconds);

// The command that finds the same again.
std::string command_again(const breach&, const check_request&);

}  // namespace gamehub::app::kit
