// The program's log on standard error: one line an entry, as text or JSON, each with a message
// that never varies and what varies as fields. Any thread may write; set_up() comes first, once.
// Only hub/server logs: the parts below return values and count.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::base::log {

enum class format : std::uint8_t { text, json };
enum class level : std::uint8_t { debug, info, warning, error, off };

// A key and what it is here. Numbers and truth values stay such in JSON.
struct field {
  field(std::string_view name, std::string_view text) : key(name), value(text), quoted(true) {}
  field(std::string_view name, const char* text) : field(name, std::string_view{text}) {}
  field(std::string_view name, const std::string& text) : field(name, std::string_view{text}) {}
  field(std::string_view name, bool truth) : key(name), value(truth ? "true" : "false") {}
  template <std::integral Number>
  field(std::string_view name, Number n) : key(name), value(std::to_string(n)) {}
  field(std::string_view name, double n);
  // Null without a number.
  template <std::integral Number>
  field(std::string_view name, std::optional<Number> n)
      : key(name), value(n ? std::to_string(*n) : "null") {}

  std::string_view key;
  std::string value;
  bool quoted = false;
};

using fields = std::initializer_list<field>;

// Before it is called, entries of level info and above are written as text.
void set_up(format, level least);

void debug(std::string_view message, fields = {});
void info(std::string_view message, fields = {});
void warning(std::string_view message, fields = {});
void error(std::string_view message, fields = {});

// One entry without its time, as the sinks write it after the time: for tests.
std::string line(format, level, std::string_view message, fields);

}  // namespace gamehub::base::log
