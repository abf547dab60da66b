// What an engine says of itself, read without trust: nothing is read beyond what the engine's table
// says it has, and no text beyond a bound. A plain function, any thread.
#pragma once

#include "engines/engine.hpp"

#include <cstddef>
#include <string>

namespace gamehub::engines {

// Bytes of what a description may say. An id is a label, a word of the wires and a column of lists.
inline constexpr std::size_t id_bytes_max = 64;
inline constexpr std::size_t title_bytes_max = 128;
inline constexpr std::size_t options_schema_bytes_max = 64 * 1024;

// Copies the tables, as far as this hub knows them. Returns what is wrong with them, as a sentence
// without its point; empty if nothing is.
std::string read_description(const gamehub_engine_abi* from, adopted& to);

}  // namespace gamehub::engines
