// Writes a JSON object member by member, in the order of the calls, at the end of a text. Lives
// while it writes, in one function; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gateways/json.hpp"

namespace gamehub::gateways::http {

class object_writer {
 public:
  // Requires: the text outlives the writer, and nobody else writes to it before end().
  explicit object_writer(std::string& out) : out_(out) {}

  void text(std::string_view name, std::string_view value) {
    begin(name);
    json::append_quoted(value, out_);
  }
  void mark(std::string_view name, char value) { text(name, {&value, 1}); }
  void number(std::string_view name, std::uint64_t value) { spelled(name, std::to_string(value)); }
  void integer(std::string_view name, std::int64_t value) { spelled(name, std::to_string(value)); }
  void truth(std::string_view name, bool value) { spelled(name, value ? "true" : "false"); }
  void nothing(std::string_view name) { spelled(name, "null"); }

  // Requires: the value is JSON.
  void spelled(std::string_view name, std::string_view value) {
    begin(name);
    out_ += value;
  }

  void end() {
    out_ += first_ ? "{}" : "}";
    first_ = false;
  }

 private:
  void begin(std::string_view name) {
    out_ += first_ ? "{\"" : ",\"";
    out_ += name;
    out_ += "\":";
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace gamehub::gateways::http
