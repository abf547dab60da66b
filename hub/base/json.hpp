// JSON for the wires that speak it: reads what a client sent in place, member by member, without a
// tree, without recursion and, where nothing is nested, without an allocation; writes strings and,
// by json_writer, values. Checks all of RFC 8259 and UTF-8, and never takes a number apart that
// no caller needs, so that 1e999 is a number. Plain functions and values, any thread.
#pragma once

#include "hub/base/time.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::base::json {

enum class kind : std::uint8_t {
  missing,
  null,
  boolean,
  integer,  // by its spelling: 2 and -0 are integers, 2.0 and 2e0 are not
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

  // The member's name in its spelling, with quotes; empty in an array.
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

}  // namespace gamehub::base::json

namespace gamehub::base {

// Writes JSON piece by piece, in the order of the calls, at the end of a string that its owner
// keeps. For one thread.
class json_writer {
 public:
  explicit json_writer(std::string& out) : out_(out) {}

  void begin(char bracket);  // '{' or '['
  void end(char bracket);    // the other one
  // Requires: in an object; the name has nothing to escape; a value or a beginning follows.
  json_writer& key(std::string_view);

  // Bytes that are no UTF-8 become U+FFFD.
  void text(std::string_view);
  void time(wall_time);
  void number(double);
  void nothing() { piece("null"); }
  void truth(bool yes) { piece(yes ? "true" : "false"); }
  // Requires: the text is JSON.
  void as_is(std::string_view json) { piece(json); }

  template <std::integral Number>
  void number(Number n) {
    piece(std::to_string(n));
  }

  // Members of an object. Requires: in an object.
  void text(std::string_view name, std::string_view value) { key(name).text(value); }
  template <std::integral Number>
  void number(std::string_view name, Number n) {
    key(name).number(n);
  }
  void truth(std::string_view name, bool yes) { key(name).truth(yes); }
  void nothing(std::string_view name) { key(name).nothing(); }
  void as_is(std::string_view name, std::string_view json) { key(name).as_is(json); }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void piece(std::string_view json);

  std::string& out_;
  bool first_ = true;  // nothing to put a comma after
};

}  // namespace gamehub::base
