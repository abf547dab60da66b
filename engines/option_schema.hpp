// Reads the options schema of an engine and validates options against it. The supported part of
// JSON schema is an object whose properties are integers with bounds, booleans and choices of
// strings, each with a default; the engine validates any other property. It reads in place and does
// not allocate, so that the ABI adapter can use it. Plain functions, any thread.
#pragma once

#include "engines/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gamehub::engines::options {

// Longer options are refused before parsing, because each option costs a scan of the text.
inline constexpr std::size_t text_bytes_max = 2048;

enum class type : std::uint8_t { integer, boolean, choice, other };

// A declared option. Its texts are parts of the schema.
struct option {
  std::string_view name;  // Plain ASCII, without quotes.
  type what = type::other;
  std::int64_t least = INT64_MIN;  // The bounds of an integer.
  std::int64_t most = INT64_MAX;
  json::value choices{};   // An array of strings.
  json::value fallback{};  // The default.
};

enum class fault : std::uint8_t {
  none,
  malformed,  // The options are not a JSON object.
  too_long,
  unknown,  // There is no option of this name.
  unfit,    // An invalid value.
};

// The error in options, and the option that has it.
struct finding {
  fault what = fault::none;
  std::string_view name{};  // As in the options, with quotes.
  json::value given{};
  option declared{};
};

// Returns a string of the schema without its quotes. A schema has no escapes.
inline std::string_view bare(std::string_view quoted) {
  return quoted.substr(1, quoted.size() - 2);
}

// Calls take(value) for each choice that is a string.
template <class Take>
void each_choice(const option& of, Take take) {
  json::reader{of.choices.spelled}.array(0, [&](const json::value& choice) {
    if (choice.what == json::kind::string) take(choice);
  });
}

inline option read_option(std::string_view quoted_name, std::string_view schema) {
  option out{.name = bare(quoted_name)};
  out.fallback = json::member(schema, "default").value_or(json::value{});
  out.choices = json::member(schema, "enum").value_or(json::value{});
  if (json::is_text(schema, "type", "integer")) {
    out.what = type::integer;
    out.least = json::integer_or(schema, "minimum", INT64_MIN);
    out.most = json::integer_or(schema, "maximum", INT64_MAX);
  } else if (json::is_text(schema, "type", "boolean")) {
    out.what = type::boolean;
  } else if (json::is_text(schema, "type", "string") && out.choices.what == json::kind::array) {
    out.what = type::choice;
  }
  return out;
}

// Calls take(option) for each option of the schema, in order.
template <class Take>
void each_option(std::string_view schema, Take take) {
  const auto declared = json::member(schema, "properties");
  if (!declared || declared->what != json::kind::object) return;
  json::reader{declared->spelled}.object(0, [&](std::string_view name, const json::value& found) {
    if (found.what == json::kind::object) take(read_option(name, found.spelled));
  });
}

// True if the value is valid for the option.
inline bool fits(const option& declared, const json::value& given) {
  switch (declared.what) {
    case type::integer: {
      const auto number = json::integer(given);
      return number && *number >= declared.least && *number <= declared.most;
    }
    case type::boolean: return given.what == json::kind::boolean;
    case type::choice: {
      bool found = false;
      each_choice(declared, [&](const json::value& choice) {
        found = found || (given.what == json::kind::string &&
                          json::says(given.spelled, bare(choice.spelled)));
      });
      return found;
    }
    case type::other: return true;
  }
  return false;
}

// Returns the first error in the options. Empty text is valid.
inline finding first_fault(std::string_view schema, std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > text_bytes_max) return {fault::too_long};
  finding out;
  json::reader r{text};
  r.blanks();
  const bool is_object = r.object(0, [&](std::string_view name, const json::value& given) {
    if (out.what != fault::none) return;
    finding found{fault::unknown, name, given, {}};
    each_option(schema, [&](const option& declared) {
      if (!json::says(name, declared.name)) return;
      found.declared = declared;
      found.what = fits(declared, given) ? fault::none : fault::unfit;
    });
    if (found.what != fault::none) out = found;
  });
  r.blanks();
  if (!is_object || !r.at_end()) return {fault::malformed};
  return out;
}

// Returns the reason for the ABI, or nullptr.
inline const char* word(fault what) {
  switch (what) {
    case fault::none: return nullptr;
    case fault::malformed: return "malformed";
    case fault::too_long: return "options-too-long";
    case fault::unknown: return "unknown-option";
    case fault::unfit: return "bad-option";
  }
  return "bad-option";
}

}  // namespace gamehub::engines::options
