// Every setting by name: what --help says of it, its default, and how its text becomes a value. The
// command line, the environment and the configuration file all read from this one list. Made when
// the program starts, on its only thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/settings.hpp"

namespace gamehub::app {

struct setting {
  std::string name;  // "turn-seconds"
  std::string group;
  std::string kind;  // what --help writes after the name; empty: given alone it means true
  std::string help;
  std::string fallback;
  std::string wanted;  // what to give: the end of a sentence, such as "a whole number up to 9"

  // Given several times, the texts come together, a line each; else the last one counts.
  bool repeatable = false;

  // Takes the text over, or says that it is not what is wanted and changes nothing.
  std::function<bool(settings&, std::string_view text)> take;

  bool takes_port() const { return kind == port_kind; }
  std::string flag() const { return "--" + name; }
  std::string variable() const;  // GAMEHUB_TURN_SECONDS

  static constexpr std::string_view port_kind = "PORT|off";
};

// Requires: the surroundings outlive the list.
std::vector<setting> setting_list(const environment&);

// The name that the operator may have meant, if one is near.
std::optional<std::string> nearest(const std::vector<setting>&, std::string_view name);

}  // namespace gamehub::app
