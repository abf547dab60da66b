// Where the values of settings come from beside the command line: the environment and the
// configuration file. Made once per start, by the verbs that have settings; the program's only
// thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hub/app/setting_list.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {

// What an operator wrote, fit to be shown in one line.
std::string shown(std::string_view text);

// The end of a sentence about a setting that there is not.
std::string unknown_setting(const std::string& where, const std::vector<setting>&,
                            const std::string& name, std::string_view prefix);

class setting_sources {
 public:
  // Reads the file that --config names or, without it, the one that GAMEHUB_CONFIG names. Throws
  // operator_mistake. Requires: what it is given outlives it.
  setting_sources(const environment&, const std::vector<setting>&,
                  const std::optional<std::string>& config_flag);

  // Takes one setting over: its flag over the environment over the file over the default. Throws
  // operator_mistake.
  void take(const setting&, const std::optional<std::string>& flag, settings& out) const;

  // Where the journal is, if it was not said. Throws operator_mistake.
  void find_journal(settings& out) const;
  // Where the arena is, if it was not said. Requires: find_journal() was called.
  static void find_arena(settings& out);

 private:
  // One value for a setting, and where it stood.
  struct given {
    std::string text;
    std::string where;
  };

  void read_file(const std::string& path, const std::string& named_by);
  std::optional<std::string> variable(const std::string& name) const;

  const environment& around_;
  const std::vector<setting>& list_;
  std::map<std::string, given> file_;  // by the settings' names
};

}  // namespace gamehub::app
