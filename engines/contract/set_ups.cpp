#include "engines/contract/set_ups.hpp"

#include "engines/dice.hpp"
#include "engines/option_schema.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {

namespace {

constexpr std::uint64_t set_up_seed = 0x7365'742d'7570;

// A value that the option may have; empty if none is known.
std::string drawn_value(const options::option& o, dice& d) {
  switch (o.what) {
    case options::type::integer: {
      if (o.least > o.most) return {};
      // The bounds are where mistakes are. What lies between is drawn where there is a between.
      const auto range = static_cast<std::uint64_t>(o.most) - static_cast<std::uint64_t>(o.least);
      const auto kind = d.below(4);
      const bool bounded = o.least != INT64_MIN && o.most != INT64_MAX;
      if (!bounded) return {};
      if (kind == 0) return std::to_string(o.least);
      if (kind == 1) return std::to_string(o.most);
      return std::to_string(o.least + static_cast<std::int64_t>(d.next() % (range + 1)));
    }
    case options::type::boolean: return d.below(2) == 0 ? "true" : "false";
    case options::type::choice: {
      std::vector<std::string> choices;
      options::each_choice(
          o, [&](const json::value& choice) { choices.emplace_back(choice.spelled); });
      return choices.empty() ? std::string{} : d.one_of(choices);
    }
    case options::type::other: return {};
  }
  return {};
}

std::string drawn_options(std::string_view schema, dice& d) {
  std::string out;
  options::each_option(schema, [&](const options::option& o) {
    const auto value = drawn_value(o, d);
    if (value.empty() || d.below(2) == 0) return;
    out += out.empty() ? "{\"" : ",\"";
    out += std::string{o.name} + "\":" + value;
  });
  return out.empty() ? out : out + '}';
}

}  // namespace

set_up drawn_set_up(const engine& rules, const set_up& asked, std::uint64_t seed) {
  constexpr std::size_t tries = 8;
  dice d{seed ^ set_up_seed};
  auto out = asked;
  // Most games are what most clients ask for.
  if (d.below(3) != 0) return out;
  for (std::size_t i = 0; i < tries; ++i) {
    if (asked.players == 0 && rules.players_min() < rules.players_max())
      out.players = rules.players_min() + static_cast<int>(d.below(static_cast<std::size_t>(
                                              rules.players_max() - rules.players_min() + 1)));
    if (asked.options_json.empty()) out.options_json = drawn_options(rules.options_schema(), d);
    if (std::holds_alternative<match>(rules.create(out.options_json, out.players))) return out;
  }
  return asked;
}

}  // namespace gamehub::engines::contract
