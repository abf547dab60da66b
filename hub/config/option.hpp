// The options of verbs as values: name, help, valid values and the variable that each one stores
// its value in. command_line.cpp reads them. Built once, at program start, on the only thread.
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gamehub::config {

// User input in quotes, shortened and without control characters, for a message of one line.
std::string shown(std::string_view text);

// A possible name or id: visible characters of ASCII.
bool is_printable_name(std::string_view text);

struct option {
  std::string name;  // "turn-seconds" of a flag; an argument has capitals: "GAME"
  std::string kind;  // the value of a flag in --help; empty: no value is needed, it means true
  std::string help;
  std::string fallback;  // the default in --help
  std::string wanted;    // the valid values, for errors, such as "a whole number up to 9"

  // Stores the value of the text. Returns false if the text is not valid.
  std::function<bool(std::string_view text)> take;

  std::string group = "Options";  // its heading in --help
  bool required = false;
  bool repeatable = false;  // take() is called for each value; else for the last one only
  bool list = false;        // several values may follow the name; implies repeatable
  char separator = ',';     // between the values of a repeatable one in a configuration file
  bool is_setting = false;  // also read from the environment and the configuration file

  bool is_argument() const { return name.front() >= 'A' && name.front() <= 'Z'; }
  std::string label() const { return is_argument() ? name : "--" + name; }
  std::string variable() const;  // of a setting: GAMEHUB_TURN_SECONDS

  static constexpr std::string_view port_kind = "PORT|off";
};

template <class Number>
std::string text_of(Number n) {
  char digits[32];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), n).ptr};
}

// The number that is the whole text, if it is within the bounds.
template <class Number>
std::optional<Number> number_in(std::string_view text, Number least, Number most) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  // The order of the comparisons also refuses NaN.
  if (error != std::errc{} || end != text.data() + text.size() || !(n >= least && n <= most))
    return std::nullopt;
  return n;
}

// "seconds from 1 to 60"
template <class Number>
std::string range_text(const std::string& what, Number least, Number most) {
  return what + " from " + text_of(least) +
         (most == std::numeric_limits<Number>::max() ? "" : " to " + text_of(most));
}

// Adds options: one call gives name, help, valid values and the variable `into`, whose present
// value is the default. The returned reference is valid until the next call. Requires: the
// variables outlive the reading of the command line.
class option_list {
 public:
  std::vector<option> options;

  void group(std::string name) { group_ = std::move(name); }

  // `take` reads and stores the text.
  option& text(std::string name, std::string kind, std::string help, std::string fallback,
               std::string wanted, std::function<bool(std::string_view)> take);
  // Any text.
  option& text(std::string name, std::string kind, std::string help, std::string& into);
  option& path(std::string name, std::string kind, std::string help, std::filesystem::path& into);
  option& flag(std::string name, std::string help, bool& into);
  option& port(std::string name, std::string help, std::optional<std::uint16_t>& into);
  option& address(std::string name, std::string help, std::string& into);
  option& engine(std::string name, std::string help, std::string& into);
  // Several texts that `good` accepts, separated by commas, or from a repeated flag; each once.
  option& texts(std::string name, std::string kind, std::string help, std::string wanted,
                std::vector<std::string>& into, bool (*good)(std::string_view));

  template <class Number>
  option& number(std::string name, std::string help, Number& into,
                 std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
    return number_like<Number>(std::move(name), std::move(help), text_of(into), least, most,
                               [&into](Number n) { into = n; });
  }
  template <class Number>
  option& number(std::string name, std::string help, std::optional<Number>& into,
                 std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
    return number_like<Number>(std::move(name), std::move(help), "", least, most,
                               [&into](Number n) { into = n; });
  }

  // The bounds have the unit that the option is given in: seconds or milliseconds.
  template <class Duration, class Unit>
  option& time(std::string name, std::string help, Duration& into, Unit least, Unit most) {
    constexpr bool in_seconds = std::is_same_v<Unit, std::chrono::seconds>;
    const std::string unit = in_seconds ? "seconds" : "milliseconds";
    return text(std::move(name), in_seconds ? "SECONDS" : "MILLISECONDS", std::move(help),
                text_of(std::chrono::duration_cast<Unit>(into).count()),
                range_text("a whole number of " + unit, least.count(), most.count()),
                [&into, least, most](std::string_view text) {
                  const auto n = number_in(text, least.count(), most.count());
                  if (n) into = Unit{*n};
                  return n.has_value();
                });
  }

  // One of several words; each has a value.
  template <class Value>
  option& word(std::string name, std::string help, Value& into,
               std::vector<std::pair<std::string_view, Value>> words) {
    std::string kind, fallback, wanted;
    for (std::size_t i = 0; i < words.size(); ++i) {
      kind.append(i > 0 ? "|" : "").append(words[i].first);
      wanted.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i].first);
      if (words[i].second == into) fallback = words[i].first;
    }
    return text(std::move(name), std::move(kind), std::move(help), std::move(fallback),
                std::move(wanted), [&into, words = std::move(words)](std::string_view text) {
                  for (const auto& [word, value] : words) {
                    if (word != text) continue;
                    into = value;
                    return true;
                  }
                  return false;
                });
  }

 private:
  template <class Number>
  option& number_like(std::string name, std::string help, std::string fallback, Number least,
                      Number most, std::function<void(Number)> store) {
    const auto wanted =
        range_text(std::is_integral_v<Number> ? "a whole number" : "a number", least, most);
    auto& added = text(std::move(name), "N", std::move(help), std::move(fallback), wanted,
                       [least, most, store = std::move(store)](std::string_view text) {
                         const auto n = number_in(text, least, most);
                         if (n) store(*n);
                         return n.has_value();
                       });
    if (added.is_argument()) added.wanted = added.help;
    return added;
  }

  std::string group_ = "Options";
};

// The most similar name, if one is similar enough to be meant.
std::optional<std::string> nearest(const std::vector<std::string>& names, std::string_view name);

}  // namespace gamehub::config
