#include "hub/config/settings.hpp"

#include "hub/base/address.hpp"
#include "hub/base/host_name.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/command_line.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gamehub::config {
namespace {

bool is_anywhere(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

bool same_place(const std::string& one, const std::string& other) {
  return one == other || is_anywhere(one) || is_anywhere(other);
}

bool is_loopback(const std::string& address) {
  const auto read = base::read_address(address);
  return read && base::is_loopback(*read);
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
  const auto refuse = [](const std::string& first, const std::string& second, std::uint16_t port) {
    throw base::usage_error{first + " and " + second + " are both " + std::to_string(port) +
                            ": give each its own port"};
  };
  if (s.admin_port && same_place(s.listen, s.admin_listen))
    if (const auto wire = taken.find(*s.admin_port); wire != taken.end())
      refuse(wire->second, "admin-port", *s.admin_port);
  if (s.cluster.empty() || s.links.port.value_or(0) == 0) return;
  if (same_place(s.listen, link_listen_of(s)))
    if (const auto wire = taken.find(*s.links.port); wire != taken.end())
      refuse(wire->second, "link-port", *s.links.port);
  if (s.admin_port == s.links.port && same_place(s.admin_listen, link_listen_of(s)))
    refuse("admin-port", "link-port", *s.links.port);
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

std::string link_listen_of(const settings& s) {
  return s.links.has_certificate() ? s.listen : "127.0.0.1";
}

std::string link_address_of(const settings& s, std::uint16_t port) {
  return base::host_field(s.links.address.empty() ? link_listen_of(s) : s.links.address,
                          s.links.address_port.value_or(port));
}

void check_links(const settings& s) {
  const auto& links = s.links;
  const std::pair<const char*, bool> files[] = {{"link-key", !links.key.empty()},
                                                {"link-certificate", !links.certificate.empty()},
                                                {"link-authority", !links.authority.empty()}};
  if (s.cluster.empty()) {
    std::string given;
    if (links.port_given && links.port) given = "link-port";
    if (!links.address.empty()) given = "link-address";
    for (const auto& [name, there] : files)
      if (there) given = name;
    if (given.empty()) return;
    throw base::usage_error{given +
                            " is given without cluster, and only the hubs of a cluster have links: "
                            "give --cluster, or remove it"};
  }
  for (const auto& [name, there] : files)
    for (const auto& [missing, other] : files)
      if (there && !other)
        throw base::usage_error{std::string{name} + " is given without " + missing +
                                ": give link-key, link-certificate and link-authority, or none of "
                                "them"};
  if (!links.port) return;
  if (!links.has_certificate() && !links.address.empty() && !is_loopback(links.address))
    throw base::usage_error{
        "link-address is not a loopback address, and links to other machines need certificates: "
        "give link-key, link-certificate and link-authority, or remove it"};
  if (links.address.empty() && is_anywhere(link_listen_of(s)))
    throw base::usage_error{"link-address is missing, because other hubs can't connect to " +
                            s.listen + ": give the address of this machine, or --link-port off"};
}

void find_arena(settings& s) {
  if (s.arena_in_memory || !s.arena_file.empty() || s.journal_file.empty()) return;
  s.arena_file = s.journal_file;
  s.arena_file += ".arena";
}

void find_webhooks(settings& s) {
  if (!s.webhooks) return;
  if (!s.cluster.empty())
    throw base::usage_error{
        "webhooks is on together with cluster, and the hubs of a cluster share no webhooks: remove "
        "one of them"};
  if (!s.webhook_file.empty() || s.journal_file.empty()) return;
  s.webhook_file = s.journal_file;
  s.webhook_file += ".webhooks";
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
    check_links(found);
    find_arena(found);
    find_webhooks(found);
    return serve(found, given->check);
  };

  auto& list = to.add("engines",
                      "Lists the engines, also the plugins and why one is not usable, and the "
                      "protocols that can play them.");
  list.flag("json", "print one JSON object", given->json);
  list.uses_settings = {"plugins", "engine", "sandbox", "sandbox-read"};
  list.run = [given, engines = std::move(engines)](settings& found) {
    return engines(found, given->json);
  };
}

}  // namespace gamehub::config
