// The byte format of records and headers: compact, unaligned, identical on every machine. A record
// has no number: its place in the log is its number. Plain functions; any thread.
//
// Integers are base-128 varints, least group first; signed ones are zigzag (as in Protocol
// Buffers). A text is a length and bytes.
#pragma once

#include "hub/journal/record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::journal {

// Appends an integer.
void append_varint(std::uint64_t, std::string& out);
// Takes an integer from the front of `bytes`. Returns false if it is cut off or over 64 bits.
bool take_varint(std::string_view& bytes, std::uint64_t& n);

// Append a record or a header.
void append_encoded(const record&, std::string& out);
void append_encoded(const game_header&, std::string& out);

// Take a record or a header from the front of `bytes`. Return nothing if the bytes are damaged or
// cut off.
std::optional<record> take_record(std::string_view& bytes, record_number number);
std::optional<game_header> take_header(std::string_view& bytes);

}  // namespace gamehub::journal
