// JSON written piece by piece, in the order in which it shall stand there: for objects that are
// made by the million. Appends to a string of its owner's; one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "hub/core/time.hpp"

namespace gamehub::app {

// A moment as RFC 3339 has it, in UTC to the millisecond.
void append_rfc3339(wall_time, std::string& out);

class json_writer {
 public:
  explicit json_writer(std::string& out) : out_(out) {}

  void begin(char bracket);  // '{' or '['
  void end(char bracket);    // the other one
  // Requires: in an object; a value or a beginning follows.
  json_writer& key(std::string_view);

  // Bytes that are no UTF-8 become U+FFFD.
  void text(std::string_view);
  void time(wall_time);
  void number(double);
  void nothing() { piece("null"); }
  void truth(bool yes) { piece(yes ? "true" : "false"); }
  // What is JSON already.
  void as_is(std::string_view json) { piece(json); }

  template <std::integral Number>
  void number(Number n) {
    piece(std::to_string(n));
  }

 private:
  void separate();
  void piece(std::string_view json);

  std::string& out_;
  bool first_ = true;  // nothing to put a comma after
};

}  // namespace gamehub::app
