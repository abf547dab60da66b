// The sources of setting values besides the command line: the environment and the configuration
// file. Built once per start, by the verbs that have settings, on the program's only thread.
#pragma once

#include "hub/config/setting_list.hpp"
#include "hub/config/settings.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::config {

// User input in quotes, shortened and without control characters, for a message of one line.
std::string shown(std::string_view text);

// The message about an unknown setting.
std::string unknown_setting(const std::string& where, const std::vector<setting>&,
                            const std::string& name, std::string_view prefix);

class setting_sources {
 public:
  // Reads the file of --config or, without that flag, of GAMEHUB_CONFIG. Throws usage_error.
  // Requires: the environment and the list outlive this object.
  setting_sources(const environment&, const std::vector<setting>&,
                  const std::optional<std::string>& config_flag);

  // Stores the value of one setting: from its flag, else the environment, else the file, else the
  // default. Throws usage_error.
  void take(const setting&, const std::optional<std::string>& flag, settings& out) const;

  // Sets the journal's path if no source gave one. Throws usage_error.
  void find_journal(settings& out) const;
  // Sets the path of the league's file if no source gave one. Requires: find_journal() was called.
  static void find_arena(settings& out);

 private:
  // One value of a setting, and its source.
  struct given {
    std::string text;
    std::string where;
  };

  void read_file(const std::string& path, const std::string& named_by);
  std::optional<std::string> variable(const std::string& name) const;

  const environment& around_;
  const std::vector<setting>& list_;
  std::map<std::string, given> file_;  // by setting name
};

}  // namespace gamehub::config
