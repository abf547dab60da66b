#include "engines/contract/random_game.hpp"

#include "engines/option_schema.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::engines::contract {

namespace {

constexpr std::uint64_t setup_seed = 0x7365'742d'7570;

// Returns a valid value of the option; empty if none is known.
std::string random_value(const options::option& o, rng& d) {
  switch (o.what) {
    case options::type::integer: {
      if (o.least > o.most) return {};
      // Prefers the bounds, because defects occur there.
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

std::string random_options(std::string_view schema, rng& d) {
  std::string out;
  options::each_option(schema, [&](const options::option& o) {
    const auto value = random_value(o, d);
    if (value.empty() || d.below(2) == 0) return;
    out += out.empty() ? "{\"" : ",\"";
    out += std::string{o.name} + "\":" + value;
  });
  return out.empty() ? out : out + '}';
}

}  // namespace

std::vector<int> seats_to_move(const host::match& m) {
  std::vector<int> out;
  const auto mask = m.to_move();
  for (int seat = 0; seat <= chance; ++seat)
    if (holds(mask, seat)) out.push_back(seat);
  return out;
}

step random_game::draw() {
  const int seat = dice_.one_of(seats_to_move(state_));
  state_.legal_actions(seat, legal_);
  if (legal_.empty()) throw host::engine_failure("who is to move has no legal action");
  actions_most_ = std::max(actions_most_, legal_.size());
  const auto a = dice_.one_of(legal_);
  return {seat, a, state_.to_text(a)};
}

game_setup random_setup(const host::engine& rules, const game_setup& asked, std::uint64_t seed) {
  constexpr std::size_t tries = 8;
  rng d{seed ^ setup_seed};
  auto out = asked;
  // Most games use the defaults, like most clients.
  if (d.below(3) != 0) return out;
  for (std::size_t i = 0; i < tries; ++i) {
    if (asked.players == 0 && rules.players_min() < rules.players_max())
      out.players = rules.players_min() + static_cast<int>(d.below(static_cast<std::size_t>(
                                              rules.players_max() - rules.players_min() + 1)));
    if (asked.options_json.empty()) out.options_json = random_options(rules.options_schema(), d);
    if (std::holds_alternative<host::match>(rules.create(out.options_json, out.players)))
      return out;
  }
  return asked;
}

}  // namespace gamehub::engines::contract
