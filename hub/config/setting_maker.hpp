// Adds settings to the list: one call gives name, kind, help, default, valid values and the member
// that stores the value. Only for setting_list.cpp and its parts; used once, at program start.
#pragma once

#include "hub/config/setting_list.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::config {

template <class Number>
std::optional<Number> whole_number(std::string_view text, Number least, Number most) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (n < least || n > most) return {};
  return n;
}

inline std::optional<bool> truth(std::string_view text) {
  for (const auto* word : {"true", "yes", "on", "1"})
    if (text == word) return true;
  for (const auto* word : {"false", "no", "off", "0"})
    if (text == word) return false;
  return {};
}

// An IPv4 or IPv6 address.
bool is_address(const std::string& text);

// A possible engine id. Whether the engine exists is checked later, by the registry.
bool is_name(std::string_view text);

// Splits the text at commas and line ends. Stores the parts and returns true if `good` accepts each
// of them. An empty text has no parts.
bool take_list(std::vector<std::string>& to, std::string_view text, bool (*good)(std::string_view));

// Adds settings to a list. `in` returns the member that a setting stores its value in.
class maker {
 public:
  explicit maker(std::vector<setting>& to) : to_(to) {}

  void group(std::string name) { group_ = std::move(name); }

  template <class Number, class In>
  void number(std::string name, std::string help, Number fallback, Number least, Number most,
              In in) {
    add(std::move(name), "N", std::move(help), std::to_string(fallback),
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
        [=](settings& to, std::string_view text) {
          const auto n = whole_number(text, least, most);
          if (n) in(to) = *n;
          return n.has_value();
        });
  }

  template <class In>
  void time(std::string name, std::string help, std::chrono::seconds fallback,
            std::chrono::seconds most, In in) {
    add(std::move(name), "SECONDS", std::move(help), std::to_string(fallback.count()),
        "a whole number of seconds from 0 to " + std::to_string(most.count()),
        [=](settings& to, std::string_view text) {
          const auto n = whole_number(text, std::chrono::seconds::rep{0}, most.count());
          if (n) in(to) = std::chrono::seconds{*n};
          return n.has_value();
        });
  }

  template <class In>
  void milliseconds(std::string name, std::string help, std::chrono::milliseconds fallback,
                    std::chrono::milliseconds most, In in) {
    add(std::move(name), "MILLISECONDS", std::move(help), std::to_string(fallback.count()),
        "a whole number of milliseconds from 1 to " + std::to_string(most.count()),
        [=](settings& to, std::string_view text) {
          const auto n = whole_number(text, std::chrono::milliseconds::rep{1}, most.count());
          if (n) in(to) = std::chrono::milliseconds{*n};
          return n.has_value();
        });
  }

  template <class In>
  void port(std::string name, std::string help, std::uint16_t fallback, In in) {
    add(std::move(name), std::string{setting::port_kind}, std::move(help), std::to_string(fallback),
        "a port up to 65535, 0 for any free one, or off", [=](settings& to, std::string_view text) {
          const auto n = whole_number<std::uint16_t>(text, 0, 65'535);
          if (!n && text != "off") return false;
          in(to) = n;
          return true;
        });
  }

  template <class In>
  void address(std::string name, std::string help, std::string fallback, In in) {
    add(std::move(name), "ADDRESS", std::move(help), std::move(fallback),
        "an IPv4 or IPv6 address, such as 0.0.0.0 or ::1",
        [=](settings& to, std::string_view text) {
          std::string wanted{text};
          if (!is_address(wanted)) return false;
          in(to) = std::move(wanted);
          return true;
        });
  }

  template <class In>
  void engine(std::string name, std::string help, std::string fallback, In in) {
    add(std::move(name), "ENGINE", std::move(help), std::move(fallback),
        "the id of an engine (gamehub engines lists them)",
        [=](settings& to, std::string_view text) {
          if (!is_name(text)) return false;
          in(to) = std::string{text};
          return true;
        });
  }

  template <class In>
  void flag(std::string name, std::string help, In in) {
    add(std::move(name), "", std::move(help), "false", "true or false",
        [=](settings& to, std::string_view text) {
          const auto yes = truth(text);
          if (yes) in(to) = *yes;
          return yes.has_value();
        });
  }

  // `read` parses and stores the text.
  void text(std::string name, std::string kind, std::string help, std::string fallback,
            std::string wanted, std::function<bool(settings&, std::string_view)> read) {
    add(std::move(name), std::move(kind), std::move(help), std::move(fallback), std::move(wanted),
        std::move(read));
  }

  // One of several words; each has a value.
  template <class Value, class In>
  void word(std::string name, std::string kind, std::string help, std::string fallback,
            std::vector<std::pair<std::string_view, Value>> words, In in) {
    std::string wanted;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) wanted += i + 1 == words.size() ? " or " : ", ";
      wanted += words[i].first;
    }
    add(std::move(name), std::move(kind), std::move(help), std::move(fallback), std::move(wanted),
        [=](settings& to, std::string_view text) {
          const auto found = std::find_if(words.begin(), words.end(),
                                          [&](const auto& each) { return each.first == text; });
          if (found == words.end()) return false;
          in(to) = found->second;
          return true;
        });
  }

  // Makes the last added setting repeatable.
  void may_repeat() { to_.back().repeatable = true; }

 private:
  void add(std::string name, std::string kind, std::string help, std::string fallback,
           std::string wanted, std::function<bool(settings&, std::string_view)> take) {
    to_.push_back({std::move(name), group_, std::move(kind), std::move(help), std::move(fallback),
                   std::move(wanted), false, std::move(take)});
  }

  std::vector<setting>& to_;
  std::string group_;
};

}  // namespace gamehub::config
