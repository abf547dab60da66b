#include "engines/contract/options.hpp"

#include "engines/option_schema.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {

namespace json = json;
namespace options = options;

namespace {

bool is_plain(std::string_view text) {
  return !text.empty() && text.find_first_of("\\\"") == text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string with(const options::option& o, std::string_view value) {
  return "{\"" + std::string{o.name} + "\":" + std::string{value} + '}';
}

// Values that the option may not have.
std::vector<std::string> unfit_for(const options::option& o) {
  std::vector<std::string> out;
  if (o.what == options::type::other) return out;
  out = {"null", "[]", "{}", "\"no such choice\"", "1.5", "99999999999999999999"};
  out.emplace_back(o.what == options::type::boolean ? "0" : "true");
  if (o.what != options::type::integer) return out;
  if (o.least > INT64_MIN) out.push_back(std::to_string(o.least - 1));
  if (o.most < INT64_MAX) out.push_back(std::to_string(o.most + 1));
  return out;
}

void check_declaration(const options::option& o, report& out) {
  out.expect(is_plain(o.name), "an option's name is not plain ASCII", o.name);
  out.expect(o.least <= o.most, "no number is within an option's bounds", o.name);
  out.expect(o.fallback.what == json::kind::missing || options::fits(o, o.fallback),
             "an option's default is not what the option may be", o.name);
  options::each_choice(o, [&](const json::value& choice) {
    out.expect(is_plain(options::bare(choice.spelled)), "a choice is not plain ASCII", o.name);
  });
}

}  // namespace

void check_options(const engine& rules, int players, report& out) {
  const auto schema = rules.options_schema();
  out.expect(schema.empty() || json::member(schema, "").has_value(),
             "the schema of the options is no JSON object");
  const auto made_with = [&](std::string_view text) -> std::string {
    const auto made = rules.create(text, players);
    const auto* m = std::get_if<match>(&made);
    return m == nullptr ? std::get<std::string>(made) : m->save();
  };
  const auto usual = made_with("");
  out.expect(made_with("{}") == usual, "no options and an empty object are not the same");
  options::each_option(schema, [&](const options::option& o) {
    check_declaration(o, out);
    if (o.fallback.what != json::kind::missing)
      out.expect(made_with(with(o, o.fallback.spelled)) == usual,
                 "an option's default is not what the engine does without it", o.name);
    for (const auto& bad : unfit_for(o))
      out.expect(std::holds_alternative<std::string>(rules.create(with(o, bad), players)),
                 "create takes an option that its schema does not allow", with(o, bad));
  });
}

}  // namespace gamehub::engines::contract
