// JSON for the wires that speak it: reads what a client sent in place, member by member, without a
// tree, without recursion and, where nothing is nested, without an allocation; writes strings.
// Checks all of RFC 8259 and UTF-8, and never takes a number apart that nobody asked for, so that
// 1e999 is a number. Plain functions and values, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::json {

enum class kind : std::uint8_t {
  missing,
  null,
  boolean,
  integer,  // as it is spelled: 2 and -0 are integers, 2.0 and 2e0 are not
  fraction,
  string,
  array,
  object,
};

struct value {
  kind what = kind::missing;
  std::string_view spelled;  // a piece of the text that was read; strings with their quotes
};

// Walks over the members of an object or the elements of an array. Views into the text, which must
// outlive it.
class walk {
 public:
  // The text as a whole, blanks around it included, must be one object or one array.
  enum class over : std::uint8_t { object, array };
  walk(std::string_view text, over);

  // To the next member or element. False after the last one, or where the text is not what it
  // should be: whole() tells which.
  bool step();
  bool whole() const { return state_ == state::whole; }

  // The member's name as it is spelled, with quotes; empty in an array.
  std::string_view name() const { return name_; }
  const value& here() const { return here_; }

 private:
  enum class state : std::uint8_t { before_first, between, whole, broken };

  bool finish(bool good);

  std::string_view rest_;
  std::string_view name_;
  value here_;
  char close_;
  state state_ = state::before_first;
};

// Whether the text is one JSON value and nothing else.
bool valid(std::string_view text);

// What a string says. Requires: quoted is a valid JSON string, quotes included.
std::string unquoted(std::string_view quoted);
bool says(std::string_view quoted, std::string_view plain);

// The number, if it is spelled as an integer and fits.
std::optional<std::int64_t> integer(const value& from);

// Appends the text as a JSON string with its quotes, or as a part of one without them. Bytes that
// are not UTF-8 become U+FFFD: what we write is always JSON.
void append_quoted(std::string_view text, std::string& out);
void append_escaped(std::string_view text, std::string& out);

}  // namespace gamehub::gateways::json
