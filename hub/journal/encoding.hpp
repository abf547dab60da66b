// Records and headers as bytes: small, without alignment, the same on every machine. A record does
// not carry its number: that is its place in the log. Plain functions, any thread.
//
// Integers are base-128 varints, least group first, signed ones zigzag (the encoding of protocol
// buffers); texts are a length and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hub/journal/record.hpp"

namespace gamehub::journal {

void append_varint(std::uint64_t, std::string& out);
// Takes one from the front of `bytes`; false if it is cut off or more than 64 bits.
bool take_varint(std::string_view& bytes, std::uint64_t& n);

void append_encoded(const record&, std::string& out);
void append_encoded(const game_header&, std::string& out);

// Take one from the front of `bytes`; nothing if they are damaged or cut off.
std::optional<record> take_record(std::string_view& bytes, record_number number);
std::optional<game_header> take_header(std::string_view& bytes);

}  // namespace gamehub::journal
