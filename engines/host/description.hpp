// Reads and validates the description of an engine, which is untrusted: no read beyond the size
// that its table declares, and no text beyond a bound. A plain function, any thread.
#pragma once

#include "engines/host/engine.hpp"

#include <cstddef>
#include <string>

namespace gamehub::engines::host {

// Maximum bytes of the texts. An id is a metric label, a word of the protocols and a column of
// lists.
inline constexpr std::size_t id_bytes_max = 64;
inline constexpr std::size_t title_bytes_max = 128;
inline constexpr std::size_t options_schema_bytes_max = 64 * 1024;

// Copies the tables, as far as this hub knows them. Returns the error as a sentence without a full
// stop; empty if the description is valid.
std::string read_description(const gamehub_engine_abi* from, adopted& to);

}  // namespace gamehub::engines::host
