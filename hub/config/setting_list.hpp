// Every setting by name: its help, its default, and how its text becomes a value. The command line,
// the environment and the configuration file use this one list. Built at program start, on the only
// thread.
#pragma once

#include "hub/config/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::config {

struct setting {
  std::string name;  // "turn-seconds"
  std::string group;
  std::string kind;  // the value in --help; empty: a flag without value, which means true
  std::string help;
  std::string fallback;
  std::string wanted;  // the valid values, for errors, such as "a whole number up to 9"

  // True: the texts of repeated flags are joined, one per line. False: the last one applies.
  bool repeatable = false;

  // Stores the value of the text. Returns false, and changes nothing, if the text is not valid.
  std::function<bool(settings&, std::string_view text)> take;

  bool takes_port() const { return kind == port_kind; }
  std::string flag() const { return "--" + name; }
  std::string variable() const;  // GAMEHUB_TURN_SECONDS

  static constexpr std::string_view port_kind = "PORT|off";
};

// Requires: the environment outlives the list.
std::vector<setting> setting_list(const environment&);

// The most similar name, if one is similar enough to be meant.
std::optional<std::string> nearest(const std::vector<setting>&, std::string_view name);

}  // namespace gamehub::config
