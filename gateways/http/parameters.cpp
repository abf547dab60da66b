#include "gateways/http/parameters.hpp"

#include "gateways/http/client_id.hpp"
#include "gateways/http/request_target.hpp"
#include "hub/base/json.hpp"
#include "hub/base/text.hpp"
#include "hub/base/utf8.hpp"
#include "hub/core/player_name.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace gamehub::gateways::http {
namespace {

enum class body_form : std::uint8_t { form, object, neither };

bool is_utf8_or_silent(std::string_view type_parameters) {
  while (!type_parameters.empty()) {
    const auto end = type_parameters.find(';');
    const auto each = base::trimmed(type_parameters.substr(0, end));
    if (each.starts_with("charset=") && each != "charset=utf-8" && each != "charset=\"utf-8\"")
      return false;
    type_parameters = end == each.npos ? std::string_view{} : type_parameters.substr(end + 1);
  }
  return true;
}

body_form form_of(const request& r) {
  if (base::trimmed(r.content_type).empty()) {
    const auto first = r.body.find_first_not_of(" \t\r\n");
    return first != r.body.npos && r.body[first] == '{' ? body_form::object : body_form::form;
  }
  const auto text = r.content_type;
  const auto end = text.find(';');
  const auto type = base::trimmed(text.substr(0, end));
  if (end != text.npos && !is_utf8_or_silent(base::lower(text.substr(end + 1))))
    return body_form::neither;
  if (base::same_letters(type, "application/x-www-form-urlencoded")) return body_form::form;
  return base::same_letters(type, "application/json") ? body_form::object : body_form::neither;
}

bool is_client_id(const parameter_spec& spec) {
  return spec.type == parameter_type::client_id || spec.type == parameter_type::new_client_id ||
         spec.type == parameter_type::any_client_id;
}

std::string named(const parameter_spec& spec, std::string_view words) {
  return std::string{spec.name} + " " + std::string{words};
}

bool has_no_controls(std::string_view text) {
  return base::utf8::all_of(text, [](char32_t c) { return !base::utf8::is_control(c); });
}

bool is_object(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{' && base::json::valid(text);
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
  auto e =
      bad_request(named(spec, "has to be 16 to 64 visible characters of ASCII, not all the same"));
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

// Returns the error of a value that its spec does not allow. Requires: the value is UTF-8 and not
// blank.
std::optional<error> check_value(const parameter_spec& spec, std::string_view value) {
  // A name that is too long has the error of names, not of parameters.
  if (spec.type == parameter_type::name) {
    const auto fault = fault_of_name(value);
    return fault ? std::optional{from(refusal::name_unacceptable, to_string(*fault))}
                 : std::nullopt;
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
    case parameter_type::list:
      return unless(read_list(value).has_value(), spec,
                    "has to be words with commas between them, or a JSON array of strings");
    default: return unless(has_no_controls(value), spec, "has a control character");
  }
}

}  // namespace

// Reads the parameters of one request and stops at the first error.
class parameter_reader {
 public:
  parameter_reader(const request& r, std::span<const parameter_spec> specs) : r_(r), out_(specs) {}

  std::variant<parameters, error> take_all(std::span<const std::string> names,
                                           std::span<const std::string> values) {
    has_client_id_ = false;
    for (std::size_t i = 0; i < std::min(names.size(), values.size()) && !wrong_; ++i)
      take(names[i], values[i]);
    if (!wrong_) check();
    if (wrong_) return *std::move(wrong_);
    return std::move(out_);
  }

  std::variant<parameters, error> read() {
    if (!r_.repeated_field.empty()) fail(std::string{r_.repeated_field} + " comes more than once");
    if (!wrong_) read_pairs(r_.query, "the query");
    if (!wrong_) read_body();
    if (!wrong_) read_authorization();
    if (!wrong_) check();
    if (wrong_) return *std::move(wrong_);
    return std::move(out_);
  }

 private:
  void fail(std::string message) { wrong_ = bad_request(std::move(message)); }

  void read_body() {
    const bool takes_body = has_body(r_.method);
    if (r_.body.empty() && (!takes_body || form_of(r_) != body_form::object)) return;
    if (!takes_body)
      return fail("a " + std::string{r_.method} + " has its parameters in the query, and no body");
    switch (form_of(r_)) {
      case body_form::form: return read_pairs(r_.body, "the form");
      case body_form::object: return read_object();
      case body_form::neither:
        return fail(
            "Content-Type has to be application/x-www-form-urlencoded or application/json, in "
            "UTF-8");
    }
  }

  void read_pairs(std::string_view text, std::string_view where) {
    while (!text.empty() && !wrong_) {
      const auto end = text.find('&');
      if (const auto pair = text.substr(0, end); !pair.empty()) read_pair(pair, where);
      text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    }
  }

  void read_pair(std::string_view pair, std::string_view where) {
    const auto equals = pair.find('=');
    const auto name = decoded(pair.substr(0, equals), plus::is_space);
    auto value =
        decoded(equals == pair.npos ? std::string_view{} : pair.substr(equals + 1), plus::is_space);
    if (!name || !value) return fail(std::string{where} + " has a broken % escape or no UTF-8");
    take(*name, *std::move(value));
  }

  void read_object() {
    base::json::walk each{r_.body, base::json::walk::over::object};
    while (!wrong_ && each.step()) read_member(each);
    if (!wrong_ && !each.whole()) fail("the body is no JSON object");
  }

  void read_member(const base::json::walk& each) {
    const auto name = base::json::unquoted(each.name());
    const auto& value = each.here();
    switch (value.what) {
      case base::json::kind::string: return take(name, base::json::unquoted(value.spelled));
      case base::json::kind::null: return take(name, {});
      case base::json::kind::boolean:
      case base::json::kind::integer:
      case base::json::kind::fraction: return take(name, std::string{value.spelled});
      default: return take_nested(name, value);
    }
  }

  void take_nested(std::string_view name, const base::json::value& value) {
    const auto* const spec = find(name);
    const bool is_list = spec != nullptr && spec->type == parameter_type::list &&
                         value.what == base::json::kind::array;
    if (spec != nullptr && spec->type != parameter_type::document && !is_list)
      return fail(std::string{name} + " has to be a plain value");
    take(name, std::string{value.spelled});
  }

  const parameter_spec* find(std::string_view name) const {
    const auto at = std::find_if(out_.specs_.begin(), out_.specs_.end(),
                                 [&](const auto& each) { return each.name == name; });
    return at == out_.specs_.end() ? nullptr : &*at;
  }

  std::optional<std::string>& value_of(const parameter_spec& spec) {
    return out_.values_[static_cast<std::size_t>(&spec - out_.specs_.data())];
  }

  void take(std::string_view name, std::string value) {
    if (++count_ > limits::http_parameters_max) return fail("there are too many parameters");
    const auto* const spec = find(name);
    if (spec == nullptr) return;
    auto& at = value_of(*spec);
    if (at) return fail(std::string{name} + " is given more than once");
    at = std::move(value);
  }

  void read_authorization() {
    const auto token = bearer_token(r_.authorization);
    if (!token) return;
    if (!base::utf8::valid(*token)) return fail("Authorization is no UTF-8");
    for (const auto& spec : out_.specs_) {
      if (!is_client_id(spec)) continue;
      auto& at = value_of(spec);
      if (at && !at->empty() && *at != *token)
        return fail("Authorization and client_id are not the same");
      at = std::string{*token};
    }
  }

  void check() {
    for (const auto& spec : out_.specs_) {
      const auto& value = value_of(spec);
      if (value && !value->empty())
        wrong_ = check_value(spec, *value);
      else if (spec.required && (has_client_id_ || !is_client_id(spec)))
        fail(std::string{spec.name} + " is missing");
      if (wrong_) return;
    }
  }

  const request& r_;
  parameters out_;
  std::optional<error> wrong_;
  std::size_t count_ = 0;
  bool has_client_id_ = true;
};

std::variant<parameters, error> parameters::read(const request& r,
                                                 std::span<const parameter_spec> specs) {
  return parameter_reader{r, specs}.read();
}

std::variant<parameters, error> parameters::of(std::span<const std::string> names,
                                               std::span<const std::string> values,
                                               std::span<const parameter_spec> specs) {
  const request none;
  return parameter_reader{none, specs}.take_all(names, values);
}

void parameters::append(std::vector<std::string>& names, std::vector<std::string>& values) const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (!values_[i] || is_client_id(specs_[i])) continue;
    names.emplace_back(specs_[i].name);
    values.push_back(*values_[i]);
  }
}

bool parameters::mentions(std::string_view name) const {
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (specs_[i].name == name) return values_[i].has_value();
  return false;
}

std::string_view parameters::text(std::string_view name) const {
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (specs_[i].name == name && values_[i]) return *values_[i];
  return {};
}

std::optional<std::int64_t> parameters::integer(std::string_view name) const {
  return read_integer(text(name));
}

std::optional<bool> parameters::boolean(std::string_view name) const {
  if (!has(name)) return std::nullopt;
  return text(name) == "true";
}

std::vector<std::string> parameters::list(std::string_view name) const {
  return has(name) ? read_list(text(name)).value_or(std::vector<std::string>{})
                   : std::vector<std::string>{};
}

std::optional<std::vector<std::string>> read_list(std::string_view text) {
  std::vector<std::string> out;
  if (!text.starts_with('[') && !text.starts_with('{')) {
    for (std::size_t from = 0, comma = 0; comma != text.npos; from = comma + 1) {
      comma = text.find(',', from);
      const auto word = text.substr(from, comma == text.npos ? text.npos : comma - from);
      out.emplace_back(base::trimmed(word));
    }
    return out;
  }
  base::json::walk each{text, base::json::walk::over::array};
  while (each.step()) {
    if (each.here().what != base::json::kind::string) return std::nullopt;
    out.push_back(base::json::unquoted(each.here().spelled));
  }
  return each.whole() ? std::optional{std::move(out)} : std::nullopt;
}

std::optional<game_id> read_game(std::string_view text) {
  game_id id;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id.value);
  if (failed != std::errc{} || end != text.data() + text.size() || text.front() == '0')
    return std::nullopt;
  return id;
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

std::variant<gamehub::move, error> read_move(const parameters& given) {
  const auto position = given.integer("position");
  const auto action = given.text("action");
  if (position && !action.empty()) return bad_request("give position or action, not both");
  gamehub::move out;
  if (position) {
    out.cell = *position;
    out.text = given.text("position");
    return out;
  }
  if (action.empty()) return bad_request("position is missing");
  const bool document = action.front() == '{';
  if (document && !base::json::valid(action))
    return bad_request("action is neither a word nor JSON");
  out.as = document ? gamehub::move::form::document : gamehub::move::form::word;
  out.text = action;
  return out;
}

}  // namespace gamehub::gateways::http
