#include "hub/core/clock_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace gamehub {

namespace {

using kind = clock_rule::kind;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, clock_kind_count> words{
    "none", "move", "days", "sudden", "fischer", "bronstein", "byoyomi"};

std::string forms() { return "clocks: " + std::string{clock_forms}; }

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

// Splits at the first `at`. Returns false without one.
bool split(std::string_view text, char at, std::string_view& before, std::string_view& after) {
  const auto place = text.find(at);
  if (place == text.npos) return false;
  before = text.substr(0, place);
  after = text.substr(place + 1);
  return true;
}

// Reads what follows the colon. Returns false if the text has not the form of the kind.
bool read_times(std::string_view text, clock_rule& to) {
  std::string_view main = text, step, periods;
  switch (to.how) {
    case kind::none: return false;
    case kind::per_move:
    case kind::sudden_death: return read_seconds(text, to.main);
    case kind::days: {
      const auto days = number_of(text);
      constexpr std::uint64_t most = clock_rule::main_max / std::chrono::days{1};
      if (days) to.main = std::chrono::days{std::min(*days, most + 1)};
      return days.has_value();
    }
    case kind::increment:
    case kind::delay:
      return split(text, '+', main, step) && read_seconds(main, to.main) &&
             read_seconds(step, to.step);
    case kind::byo_yomi: {
      if (!split(text, '+', main, step) || !split(step, 'x', periods, step)) return false;
      const auto count = number_of(periods);
      if (count) to.periods = static_cast<std::uint8_t>(std::min<std::uint64_t>(*count, 255));
      return count && read_seconds(main, to.main) && read_seconds(step, to.step);
    }
  }
  return false;
}

// Returns what is wrong with the times; null: nothing.
const char* mistake_in(const clock_rule& rule) {
  if (rule.how == kind::none)
    return rule == clock_rule{} ? nullptr : "a game without a clock has no times";
  if (rule.main.count() < 0 || rule.step.count() < 0)
    return "the times of a clock are not negative";
  if (rule.main > clock_rule::main_max) return "the time of a clock is at most 366 days";
  if (rule.how != kind::byo_yomi && rule.main < clock_rule::least)
    return "the time of a clock is at least 0.001 s";
  const bool has_step =
      rule.how == kind::increment || rule.how == kind::delay || rule.how == kind::byo_yomi;
  if (has_step && rule.step < clock_rule::least)
    return "what a clock adds, and a period of byo-yomi, is at least 0.001 s";
  if (!has_step && rule.step.count() != 0) return "this clock adds no time";
  if (rule.step > clock_rule::step_max)
    return "what a clock adds, and a period of byo-yomi, is at most a day (86400 s)";
  if (rule.how == kind::delay && rule.main < rule.step)
    return "a clock with a delay begins with the time of the delay at least";
  if (rule.how == kind::days && rule.main % std::chrono::days{1} != milliseconds{0})
    return "this clock has whole days";
  const auto periods_max = rule.how == kind::byo_yomi ? clock_rule::periods_max : 0;
  if (rule.periods > periods_max || (periods_max > 0 && rule.periods == 0))
    return "byo-yomi has 1 to 100 periods";
  return nullptr;
}

}  // namespace

std::string seconds_text(milliseconds time) {
  std::string out = std::to_string(time.count() / 1'000);
  auto rest = time.count() % 1'000;
  if (rest == 0) return out;
  out += '.';
  for (int unit = 100; rest > 0; unit /= 10) {
    out += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return out;
}

bool read_seconds(std::string_view text, milliseconds& to) {
  std::string_view whole = text, part;
  constexpr std::uint64_t most = clock_rule::main_max / std::chrono::seconds{1};
  const bool has_part = split(text, '.', whole, part);
  const auto seconds = number_of(whole);
  if (!seconds || *seconds > most) return false;
  auto thousandths = std::uint64_t{0};
  if (has_part) {
    const auto digits = number_of(part);
    if (!digits || part.size() > 3) return false;
    thousandths = *digits * (part.size() == 1 ? 100 : part.size() == 2 ? 10 : 1);
  }
  to = milliseconds{*seconds * 1'000 + thousandths};
  return true;
}

bool is_valid(const clock_rule& rule) { return mistake_in(rule) == nullptr; }

std::variant<clock_rule, std::string> read_clock(std::string_view text) {
  if (text == words[0]) return clock_rule{};
  std::string_view word, times;
  const bool whole = text.size() <= clock_rule::text_bytes_max && split(text, ':', word, times);
  const auto at = whole ? std::find(words.begin() + 1, words.end(), word) : words.end();
  if (at == words.end()) return forms();
  clock_rule rule;
  rule.how = static_cast<kind>(at - words.begin());
  if (!read_times(times, rule)) {
    return "the clock " + std::string{word} +
           " has not the right form, or a time of over 366 days or of parts of a millisecond: " +
           forms();
  }
  // These add nothing, and are for the same players.
  if ((rule.how == kind::increment || rule.how == kind::delay) && rule.step.count() == 0)
    rule.how = kind::sudden_death;
  if (const char* wrong = mistake_in(rule)) return std::string{wrong};
  return rule;
}

std::optional<clock_rule> find_clock(std::string_view text) {
  const auto found = read_clock(text);
  const auto* rule = std::get_if<clock_rule>(&found);
  return rule == nullptr ? std::nullopt : std::optional{*rule};
}

std::string to_text(const clock_rule& rule) {
  std::string out{words[static_cast<std::size_t>(rule.how)]};
  if (rule.how == kind::none) return out;
  out += ':';
  if (rule.how == kind::days) return out += std::to_string(rule.main / std::chrono::days{1});
  out += seconds_text(rule.main);
  if (rule.step.count() == 0) return out;
  out += '+';
  if (rule.how == kind::byo_yomi) (out += std::to_string(rule.periods)) += 'x';
  return out += seconds_text(rule.step);
}

}  // namespace gamehub
