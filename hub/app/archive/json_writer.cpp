#include "hub/app/archive/json_writer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace gamehub::app {
namespace {

bool stands_for_itself(char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; }

}  // namespace

void append_rfc3339(wall_time at, std::string& out) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{at - day};
  char text[64];
  const auto size = std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  out.append(text, static_cast<std::size_t>(size));
}

void json_writer::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void json_writer::piece(std::string_view json) {
  separate();
  out_ += json;
}

void json_writer::begin(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void json_writer::end(char bracket) {
  out_ += bracket;
  first_ = false;
}

json_writer& json_writer::key(std::string_view name) {
  text(name);
  out_ += ':';
  first_ = true;
  return *this;
}

void json_writer::text(std::string_view what) {
  separate();
  if (std::all_of(what.begin(), what.end(), stands_for_itself)) {
    out_ += '"';
    out_ += what;
    out_ += '"';
  } else {
    out_ += nlohmann::json(what).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void json_writer::time(wall_time at) {
  separate();
  out_ += '"';
  append_rfc3339(at, out_);
  out_ += '"';
}

void json_writer::number(double n) { piece(nlohmann::json(n).dump()); }

}  // namespace gamehub::app
