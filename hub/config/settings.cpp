#include "hub/config/settings.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/command_line.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gamehub::config {
namespace {

bool same_place(const std::string& one, const std::string& other) {
  const auto anywhere = [](const std::string& address) {
    return address == "0.0.0.0" || address == "::";
  };
  return one == other || anywhere(one) || anywhere(other);
}

// Checks that concern several settings.
void check_together(const settings& s) {
  std::map<std::uint16_t, std::string> taken;
  auto none = true;
  for (const auto& [name, wire] : s.wires) {
    if (!wire.port) continue;
    none = false;
    if (*wire.port == 0) continue;
    const auto [first, free] = taken.emplace(*wire.port, name + "-port");
    if (!free)
      throw base::usage_error{first->second + " and " + name + "-port are both " +
                              std::to_string(*wire.port) + ": give each its own port"};
  }
  if (none && !s.wires.empty())
    throw base::usage_error{"every protocol is off: give a port to " + s.wires.begin()->first +
                            "-port or to another one"};
  if (!s.admin_port || !same_place(s.listen, s.admin_listen)) return;
  if (const auto wire = taken.find(*s.admin_port); wire != taken.end())
    throw base::usage_error{wire->second + " and admin-port are both " +
                            std::to_string(*s.admin_port) + ": give each its own port"};
}

}  // namespace

void find_grace(settings& s) {
  for (auto& [name, wire] : s.wires)
    if (wire.grace_covers_turn) wire.grace = std::max(wire.grace, s.turn);
}

void find_journal(settings& s) {
  if (!s.cluster.empty()) {
    if (s.journal_given)
      throw base::usage_error{
          "cluster and journal are both given, and the cluster's database is the journal: remove "
          "one of them"};
    return;
  }
  if (s.durability == gamehub::durability::machine)
    throw base::usage_error{
        "--durability machine needs the database of --cluster, because a file is on one machine: "
        "give --cluster, or --durability power"};
  if (s.journal_in == journal_kind::memory || !s.journal_file.empty()) return;
  if (s.state_folder.empty())
    throw base::usage_error{
        "the journal has no path, because neither XDG_STATE_HOME nor HOME is set: give "
        "--journal sqlite:PATH or --journal memory"};
  s.journal_file = s.state_folder / "gamehub" / "journal.db";
  s.journal_by_default = true;
}

void find_arena(settings& s) {
  if (s.arena_in_memory || !s.arena_file.empty() || s.journal_file.empty()) return;
  s.arena_file = s.journal_file;
  s.arena_file += ".arena";
}

void add_serve_verbs(verb& to, std::function<int(const settings&, bool check)> serve,
                     std::function<int(const settings&, bool json)> engines) {
  struct flags {
    bool check = false, json = false;
  };
  const auto given = std::make_shared<flags>();

  auto& hub = to.add("serve", "Hosts games until SIGTERM or SIGINT.");
  hub.flag("check", "check the settings, print what is wrong and exit", given->check);
  hub.uses_all_settings = true;
  hub.footer =
      "A flag overrides the environment variable in brackets, which overrides the configuration "
      "file\n"
      "(NAME = VALUE, with the flag's name without --), which overrides the default.";
  hub.run = [given, serve = std::move(serve)](settings& found) {
    check_together(found);
    find_grace(found);
    find_journal(found);
    find_arena(found);
    return serve(found, given->check);
  };

  auto& list = to.add("engines",
                      "Lists the engines, also the plugins and why one is not usable, and the "
                      "protocols that can play them.");
  list.flag("json", "print one JSON object", given->json);
  list.uses_settings = {"plugins"};
  list.run = [given, engines = std::move(engines)](settings& found) {
    return engines(found, given->json);
  };
}

}  // namespace gamehub::config
