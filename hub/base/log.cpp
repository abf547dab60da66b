#include "hub/base/log.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace gamehub::base::log {
namespace {

std::string_view name(level l) {
  switch (l) {
    case level::debug: return "debug";
    case level::info: return "info";
    case level::warning: return "warning";
    case level::error: return "error";
    case level::off: return "off";
  }
  return "unknown";
}

spdlog::level::level_enum in_spdlog(level l) {
  switch (l) {
    case level::debug: return spdlog::level::debug;
    case level::info: return spdlog::level::info;
    case level::warning: return spdlog::level::warn;
    case level::error: return spdlog::level::err;
    case level::off: return spdlog::level::off;
  }
  return spdlog::level::info;
}

// Escapes the control characters that JSON allows: U+007F, and U+0080 to U+009F, which are two
// bytes of UTF-8. A terminal may carry them out.
std::string without_controls(const std::string& json) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    auto c = static_cast<unsigned char>(json[i]);
    const auto next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0;
    const auto wide = c == 0xC2 && next < 0xA0;
    if (!wide && c != 0x7F) {
      out += json[i];
      continue;
    }
    if (wide) c = static_cast<unsigned char>(next), ++i;
    out += "\\u00";
    out += digits[c >> 4];
    out += digits[c & 0xF];
  }
  return out;
}

// A JSON string without control characters: of bytes that are no UTF-8, each stretch becomes a
// replacement character.
std::string in_quotes(std::string_view text) {
  return without_controls(
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// Text is bare where its end is unambiguous.
std::string in_text(std::string_view text) {
  const auto plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < '\x7f' && c != '"' && c != '=' && c != '\\';
  });
  return plain ? std::string{text} : in_quotes(text);
}

// The message is for people and has blanks, but never a second line.
std::string one_line(std::string_view message) {
  auto out = in_quotes(message);
  return out.substr(1, out.size() - 2);
}

std::string text_line(level l, std::string_view message, fields more) {
  std::string out{name(l)};
  out.resize(8, ' ');
  out += one_line(message);
  for (const auto& each : more) {
    out += ' ';
    out += each.key;
    out += '=';
    out += each.quoted ? in_text(each.value) : each.value;
  }
  return out;
}

std::string json_line(level l, std::string_view message, fields more) {
  std::string out = "\"level\":\"" + std::string{name(l)} + "\",\"message\":" + in_quotes(message);
  for (const auto& each : more) {
    out += ',';
    out += in_quotes(each.key);
    out += ':';
    out += each.quoted ? in_quotes(each.value) : each.value;
  }
  return out + '}';
}

// The one log of the program.
class writer {
 public:
  writer() { set_up(format::text, level::info); }

  void set_up(format f, level least) {
    format_ = f;
    const auto* pattern =
        f == format::json ? "{\"time\":\"%Y-%m-%dT%H:%M:%S.%eZ\",%v" : "%Y-%m-%dT%H:%M:%S.%eZ %v";
    log_.set_formatter(
        std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc));
    log_.set_level(in_spdlog(least));
    log_.flush_on(spdlog::level::debug);
  }

  void write(level l, std::string_view message, fields more) {
    if (!log_.should_log(in_spdlog(l))) return;
    log_.log(in_spdlog(l), spdlog::string_view_t{line(format_, l, message, more)});
  }

 private:
  spdlog::logger log_{"gamehub", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
  format format_ = format::text;
};

writer& the_log() {
  static writer only;
  return only;
}

}  // namespace

field::field(std::string_view name, double n)
    : key(name), value(std::isfinite(n) ? nlohmann::json(n).dump() : "null") {}

std::string line(format f, level l, std::string_view message, fields more) {
  return f == format::json ? json_line(l, message, more) : text_line(l, message, more);
}

void set_up(format f, level least) { the_log().set_up(f, least); }

void debug(std::string_view message, fields more) { the_log().write(level::debug, message, more); }
void info(std::string_view message, fields more) { the_log().write(level::info, message, more); }
void warning(std::string_view message, fields more) {
  the_log().write(level::warning, message, more);
}
void error(std::string_view message, fields more) { the_log().write(level::error, message, more); }

}  // namespace gamehub::base::log
