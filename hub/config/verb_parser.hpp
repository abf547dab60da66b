// What the command lines of verbs have in common: help as an answer, mistakes as one sentence, and
// flags that are settings of `gamehub serve`. Used once, when the program starts, by its only
// thread.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/app/setting_list.hpp"
#include "hub/app/setting_sources.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {

// The layout of a verb's help, and -h and --help to ask for it.
void set_help(CLI::App&, std::size_t name_columns);

// An option with a value, of which the last one on the line counts.
void add_text(CLI::App& to, const std::string& flag, std::string& into, const std::string& kind,
              const std::string& help);

// What the line gives for an option that was added.
std::optional<std::string> given(const CLI::App& in, const std::string& flag,
                                 const std::string& value);

// Reads the line into what was added to the app; the help, if that was asked for. Throws
// operator_mistake, which names the verb as in "gamehub engine new".
std::optional<reply> read_line(CLI::App& app, int argc, const char* const* argv,
                               const std::string& verb);

// For verbs that let the line hold more than they know.
void refuse_extras(const CLI::App& of, const std::string& verb);

// Flags of verbs that are settings of the hub's, too, and --config: a verb finds what it has to do
// with where `gamehub serve` does.
class setting_flags {
 public:
  // Requires: the surroundings outlive it.
  explicit setting_flags(const environment&);
  setting_flags(const setting_flags&) = delete;
  setting_flags& operator=(const setting_flags&) = delete;

  // Requires: there are settings of these names; this object outlives the app.
  void add(CLI::App& to, std::initializer_list<std::string_view> names);

  // What the environment and the file that --config names say. Throws operator_mistake. Requires:
  // the line was read.
  setting_sources sources(const CLI::App& asked) const;

  // Takes these settings over, their flags first. Throws operator_mistake. Requires: the names were
  // added to this app.
  void take(const setting_sources&, const CLI::App& asked,
            std::initializer_list<std::string_view> names, settings& into) const;

 private:
  const setting& named(std::string_view name) const;

  const environment& around_;
  const std::vector<setting> list_;
  std::map<std::string, std::string, std::less<>> values_;  // by the settings' names
  std::string config_;
};

}  // namespace gamehub::app
