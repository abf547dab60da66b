#include "hub/core/clock_policy.hpp"

#include <algorithm>

namespace gamehub {

namespace {

std::string bound_text(const char* what, std::chrono::milliseconds bound) {
  return std::string{what} + seconds_text(bound) + " s";
}

}  // namespace

clock_rule clock_policy::of(std::string_view engine) const {
  const auto at = by_engine.find(engine);
  return at == by_engine.end() ? standard.value_or(clock_rule{}) : at->second;
}

std::optional<std::chrono::seconds> clock_policy::away_time(const clock_rule& rule) const {
  if (rule.how == clock_rule::kind::days) return std::chrono::seconds::max();
  if (rule.how == clock_rule::kind::none && none_away.count() > 0) return none_away;
  return std::nullopt;
}

std::variant<clock_rule, std::string> clock_policy::choose(std::string_view engine,
                                                           std::string_view text) const {
  if (text.empty()) return of(engine);
  auto found = read_clock(text);
  const auto* rule = std::get_if<clock_rule>(&found);
  if (rule == nullptr || *rule == of(engine)) return found;
  if (!*rule) {
    if (allows_none) return found;
    return "games without a clock are not played on this hub";
  }
  if (rule->has_store() && rule->main > game_max)
    return bound_text("the time of a game on this hub is at most ", game_max);
  if (!rule->has_store() && rule->main > move_max)
    return bound_text("the time of a move on this hub is at most ", move_max);
  if (rule->step > move_max)
    return bound_text("what a clock adds on this hub, and a period, is at most ", move_max);
  if (std::max(rule->main, rule->how == clock_rule::kind::byo_yomi ? rule->step : rule->main) <
      least)
    return bound_text("the time of a clock on this hub is at least ", least);
  return found;
}

}  // namespace gamehub
