// The common parts of the verbs' command lines: help, errors of one sentence, and flags that are
// settings of `gamehub serve`. Used once, at program start, on the only thread.
#pragma once

#include "hub/config/setting_list.hpp"
#include "hub/config/setting_sources.hpp"
#include "hub/config/settings.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::config {

// Adds -h and --help to a verb, and sets the layout of its help.
void set_help(CLI::App&, std::size_t name_columns);

// Adds an option with a value. If it is repeated, the last value applies.
void add_text(CLI::App& to, const std::string& flag, std::string& into, const std::string& kind,
              const std::string& help);

// The value of an option, if the command line has it.
std::optional<std::string> given(const CLI::App& in, const std::string& flag,
                                 const std::string& value);

// Parses the command line. Returns the help if the user app for it. Throws usage_error, which
// names the verb, such as "gamehub engine new".
std::optional<early_exit> read_line(CLI::App& app, int argc, const char* const* argv,
                                    const std::string& verb);

// Throws usage_error if the verb, which allows extra arguments to CLI11, was given any.
void refuse_extras(const CLI::App& of, const std::string& verb);

// Flags of verbs that are also settings of the hub, and --config: so a verb finds the journal or
// the hub that `gamehub serve` uses with the same settings.
class setting_flags {
 public:
  // Requires: the environment outlives it.
  explicit setting_flags(const environment&);
  setting_flags(const setting_flags&) = delete;
  setting_flags& operator=(const setting_flags&) = delete;

  // Requires: settings of these names exist; this object outlives the app.
  void add(CLI::App& to, std::initializer_list<std::string_view> names);

  // The environment, and the file of --config. Throws usage_error. Requires: the command line was
  // parsed.
  setting_sources sources(const CLI::App& app) const;

  // Stores the values of these settings; flags override the sources. Throws usage_error. Requires:
  // the names were added to this app.
  void take(const setting_sources&, const CLI::App& app,
            std::initializer_list<std::string_view> names, settings& into) const;

 private:
  const setting& named(std::string_view name) const;

  const environment& around_;
  const std::vector<setting> list_;
  std::map<std::string, std::string, std::less<>> values_;  // by setting name
  std::string config_;
};

}  // namespace gamehub::config
