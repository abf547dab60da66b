#include "gateways/http/parameters.hpp"

#include <algorithm>
#include <utility>

#include "gateways/http/client_id.hpp"
#include "gateways/http/parameter_checks.hpp"
#include "gateways/http/target.hpp"
#include "gateways/json.hpp"
#include "gateways/utf8.hpp"

namespace gamehub::gateways::http {
namespace {

enum class body_form : std::uint8_t { form, object, neither };

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

bool is_utf8_or_silent(std::string_view type_parameters) {
  while (!type_parameters.empty()) {
    const auto end = type_parameters.find(';');
    const auto each = trimmed(type_parameters.substr(0, end));
    if (each.starts_with("charset=") && each != "charset=utf-8" && each != "charset=\"utf-8\"")
      return false;
    type_parameters = end == each.npos ? std::string_view{} : type_parameters.substr(end + 1);
  }
  return true;
}

body_form form_of(const request& r) {
  if (trimmed(r.content_type).empty()) {
    const auto first = r.body.find_first_not_of(" \t\r\n");
    return first != r.body.npos && r.body[first] == '{' ? body_form::object : body_form::form;
  }
  const auto text = lower(r.content_type);
  const auto end = text.find(';');
  const auto type = trimmed(std::string_view{text}.substr(0, end));
  if (end != text.npos && !is_utf8_or_silent(std::string_view{text}.substr(end + 1)))
    return body_form::neither;
  if (type == "application/x-www-form-urlencoded") return body_form::form;
  return type == "application/json" ? body_form::object : body_form::neither;
}

bool is_client_id(const parameter_spec& spec) {
  return spec.type == parameter_type::client_id || spec.type == parameter_type::new_client_id ||
         spec.type == parameter_type::any_client_id;
}

}  // namespace

// Fills the parameters of one request, and stops at the first mistake.
class parameter_reader {
 public:
  parameter_reader(const request& r, std::span<const parameter_spec> specs) : r_(r), out_(specs) {}

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
    if (r_.body.empty() && (r_.method != "POST" || form_of(r_) != body_form::object)) return;
    if (r_.method != "POST") return fail("a GET has its parameters in the query, and no body");
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
    json::walk each{r_.body, json::walk::over::object};
    while (!wrong_ && each.step()) read_member(each);
    if (!wrong_ && !each.whole()) fail("the body is no JSON object");
  }

  void read_member(const json::walk& each) {
    const auto name = json::unquoted(each.name());
    const auto& value = each.here();
    switch (value.what) {
      case json::kind::string: return take(name, json::unquoted(value.spelled));
      case json::kind::null: return take(name, {});
      case json::kind::boolean:
      case json::kind::integer:
      case json::kind::fraction: return take(name, std::string{value.spelled});
      default: return take_nested(name, value);
    }
  }

  void take_nested(std::string_view name, const json::value& value) {
    const auto* const spec = find(name);
    if (spec != nullptr && spec->type != parameter_type::document)
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
    if (!utf8::valid(*token)) return fail("Authorization is no UTF-8");
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
      else if (spec.required)
        fail(std::string{spec.name} + " is missing");
      if (wrong_) return;
    }
  }

  const request& r_;
  parameters out_;
  std::optional<error> wrong_;
  std::size_t count_ = 0;
};

std::variant<parameters, error> parameters::read(const request& r,
                                                 std::span<const parameter_spec> specs) {
  return parameter_reader{r, specs}.read();
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

}  // namespace gamehub::gateways::http
