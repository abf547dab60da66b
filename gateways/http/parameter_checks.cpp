#include "gateways/http/parameter_checks.hpp"

#include <charconv>
#include <limits>
#include <utility>

#include "gateways/http/client_id.hpp"
#include "gateways/json.hpp"
#include "gateways/utf8.hpp"

namespace gamehub::gateways::http {
namespace {

std::string named(const parameter_spec& spec, std::string_view words) {
  return std::string{spec.name} + " " + std::string{words};
}

bool has_no_controls(std::string_view text) {
  return utf8::all_of(text, [](char32_t c) { return !utf8::is_control(c); });
}

// Nor what would make it look like another name.
bool is_name(std::string_view text) {
  return text.size() <= limits::name_bytes_max && text.front() != ' ' && text.back() != ' ' &&
         utf8::all_of(text,
                      [](char32_t c) { return !utf8::is_control(c) && !utf8::is_disguise(c); });
}

bool is_object(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{' && json::valid(text);
}

std::string bounds_of(const parameter_spec& spec) {
  using bound = std::numeric_limits<std::int64_t>;
  std::string out = "a whole number";
  if (spec.least != bound::min()) out += ", at least " + std::to_string(spec.least);
  if (spec.most != bound::max()) out += ", at most " + std::to_string(spec.most);
  return out;
}

std::optional<error> check_integer(const parameter_spec& spec, std::string_view value) {
  const auto number = read_integer(value);
  if (number && *number >= spec.least && *number <= spec.most) return std::nullopt;
  return bad_request(named(spec, "has to be " + bounds_of(spec)));
}

std::optional<error> check_client_id(const parameter_spec& spec, std::string_view value) {
  if (client_id::acceptable(value)) return std::nullopt;
  auto e = bad_request(named(spec, "has to be 16 to 64 visible characters of ASCII"));
  if (spec.type == parameter_type::client_id) {
    e.code = error_code::unknown_client;
    e.message = "there is no session with that client_id";
  }
  return e;
}

std::optional<error> unless(bool good, const parameter_spec& spec, std::string_view words) {
  if (good) return std::nullopt;
  return bad_request(named(spec, words));
}

}  // namespace

std::optional<error> check_value(const parameter_spec& spec, std::string_view value) {
  // These have an error of their own for what is too long.
  if (spec.type == parameter_type::name) {
    if (is_name(value)) return std::nullopt;
    return from(refusal::name_unacceptable);
  }
  if (spec.type == parameter_type::client_id || spec.type == parameter_type::new_client_id)
    return check_client_id(spec, value);
  if (spec.type == parameter_type::any_client_id) return std::nullopt;
  if (value.size() > spec.bytes_max)
    return bad_request(named(spec, "is longer than " + std::to_string(spec.bytes_max) + " bytes"));
  switch (spec.type) {
    case parameter_type::boolean:
      return unless(value == "true" || value == "false", spec, "has to be true or false");
    case parameter_type::integer: return check_integer(spec, value);
    case parameter_type::document: return unless(is_object(value), spec, "has to be a JSON object");
    default: return unless(has_no_controls(value), spec, "has a control character");
  }
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  const auto negative = text.starts_with('-');
  const auto digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos ||
      (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  using bound = std::numeric_limits<std::int64_t>;
  std::int64_t out = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), out).ec != std::errc{})
    return negative ? bound::min() : bound::max();
  return out;
}

}  // namespace gamehub::gateways::http
