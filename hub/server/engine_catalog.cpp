#include "hub/server/engine_catalog.hpp"

#include "engines/contract/move_examples.hpp"
#include "hub/base/crash_log.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"
#include "hub/plugins/engine_traits.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace gamehub::server {

namespace {

// A wire without settings gets the defaults.
config::wire_settings settings_of(const config::settings& s, std::string_view wire) {
  const auto at = s.wires.find(wire);
  return at == s.wires.end() ? config::wire_settings{} : at->second;
}

std::string ids_of(const actors::table::engine_directory& directory) {
  std::string known;
  for (const auto& e : directory.engines) known += (known.empty() ? "" : ", ") + e.traits.id;
  return known;
}

// A clock of an unknown engine is a mistake, unless a file that is added later brings the engine.
void check_engine_clocks(const actors::table::engine_directory& directory,
                         const config::settings& s) {
  for (const auto& [id, rule] : s.clocks.by_engine) {
    if (directory.find_engine(id)) continue;
    if (s.plugins.empty())
      throw base::usage_error{"--engine-clock: there is no engine \"" + id + "\"; choose one of " +
                              ids_of(directory) + "."};
    base::log::warning("--engine-clock names an engine that is not there yet", {{"engine", id}});
  }
}

engine_traits port_engine(const actors::table::engine_directory& directory,
                          const gateways::protocol_info& p, const config::wire_settings& wire) {
  const auto where = std::string{p.name} + "-engine";
  const auto number = directory.find_engine(wire.engine);
  if (!number) {
    throw base::usage_error{"--" + where + ": there is no engine \"" + wire.engine +
                            "\"; choose one of " + ids_of(directory) + "."};
  }
  std::variant<engine_traits, std::string> with;
  try {
    with = actors::table::traits_for_options(directory.engines[*number], wire.options);
  } catch (const engines::host::engine_failure& failure) {
    with = std::string{"the engine failed: "} + failure.what();
  }
  if (const auto* wrong = std::get_if<std::string>(&with))
    throw base::usage_error{"--" + std::string{p.name} + "-options for " + wire.engine + ": " +
                            *wrong + "."};
  const auto& traits = std::get<engine_traits>(with);
  if (const auto why = p.unsupported_reason(traits))
    throw base::usage_error{"--" + where + ": " + traits.id + " can't be played over " +
                            std::string{p.name} + ": it " + *why +
                            "; `gamehub engines` lists what can."};
  return traits;
}

std::string shape_of(const engine_traits& t) {
  auto out = std::to_string(t.players) + " players";
  if (t.has_cells())
    out += " on " + std::to_string(t.rows) + " x " + std::to_string(t.columns) + " cells as " +
           t.marks;
  return out;
}

// Returns why a new version of an engine can't replace the present one; empty if it can.
std::string incompatibility(const engine_catalog& to, const actors::table::engine_entry& here,
                            const engine_traits& traits) {
  const auto was = shape_of(here.traits), is = shape_of(traits);
  if (was != is)
    return "it is for " + is + ", and version " + here.rules.version_text() +
           ", which is played here, is for " + was + ": restart the hub to load it";
  for (const auto& w : to.wires)
    if (w.engine.id == traits.id)
      if (const auto why = w.protocol->unsupported_reason(traits))
        return "it can't be played over " + std::string{w.protocol->name} +
               ", whose engine it is: it " + *why;
  return {};
}

constexpr std::uint64_t examples_seed = 1;

// Examples are made once, when an engine is loaded, because no request of a client may wait for an
// engine. Those of a plugin are from the process that has probed it: here it could crash the hub.
std::string examples_of(const engines::host::engine& rules,
                        std::span<const plugins::plugin> plugins) {
  namespace contract = engines::contract;
  for (const auto& each : plugins)
    if (each.engine == rules) return each.examples;
  try {
    return contract::examples_json(contract::move_examples(rules, examples_seed));
  } catch (const engines::host::engine_failure& failure) {
    base::log::warning("an engine failed while examples of its moves were made",
                       {{"engine", rules.id()}, {"why", failure.what()}});
    return {};
  }
}

void name_for_crashes(const actors::table::engine_directory& directory, std::uint16_t number) {
  static_assert(limits::engines_max <= base::crash_log::engines_max);
  const auto& rules = directory.engines[number].rules;
  base::crash_log::name_engine(number + 1u, std::string{rules.id()} + ' ' + rules.version_text());
}

// An engine can pass its check and fail now. It is left out, and the hub starts with the others.
void add_at_start(actors::table::engine_directory& to, const engines::host::engine& rules,
                  std::span<const plugins::plugin> plugins) {
  try {
    if (const auto number = to.add(rules, plugins::traits_of(rules), examples_of(rules, plugins)))
      name_for_crashes(to, *number);
  } catch (const engines::host::engine_failure& failure) {
    base::log::error("an engine failed", {{"engine", rules.id()},
                                          {"version", rules.version_text()},
                                          {"game", 0},
                                          {"function", failure.function()},
                                          {"what", failure.what()}});
  }
}

}  // namespace

std::variant<std::uint16_t, std::string> add_engine(engine_catalog& to,
                                                    const engines::host::engine& late,
                                                    std::string examples) {
  auto& directory = to.catalog;
  if (directory.find_engine(late.id(), late.version_text()))
    return engines::host::is_registered(late);
  engine_traits traits;
  try {
    traits = plugins::traits_of(late);
  } catch (const engines::host::engine_failure& failure) {
    return failure.what();
  }
  if (const auto newest = directory.find_engine(late.id())) {
    const auto& here = directory.engines[*newest];
    if (older(here.rules, late))
      if (auto why = incompatibility(to, here, traits); !why.empty()) return why;
  }
  if (const auto number = directory.add(late, std::move(traits), std::move(examples))) {
    name_for_crashes(directory, *number);
    return *number;
  }
  return "there are " + std::to_string(limits::engines_max) +
         " engines already, and no room for more: remove some files and restart the hub";
}

engine_catalog make_engine_catalog(const engines::host::registry& registry,
                                   const config::settings& s,
                                   std::span<const plugins::plugin> plugins) {
  engine_catalog o;
  for (const auto& e : registry.all()) add_at_start(o.catalog, e, plugins);
  check_engine_clocks(o.catalog, s);
  for (const auto* p : gateways::protocols()) {
    const auto wire = settings_of(s, p->name);
    // A protocol on another one's port is on if that port is on.
    const auto listening = p->port_owner.empty() ? wire : settings_of(s, p->port_owner);
    if (!listening.port) continue;
    open_wire w{p, wire, {}};
    if (p->engine_per_port) w.engine = port_engine(o.catalog, *p, wire);
    const auto grace = p->own_timeouts ? std::chrono::seconds{0} : wire.grace;
    o.catalog.wires.push_back({std::string{p->name},
                               p->form,
                               grace,
                               p->unsupported_reason,
                               {wire.opponent.is_engine, wire.opponent.skill, wire.opponent.name},
                               p->own_timeouts,
                               p->documents_without_cells,
                               p->hub_makes_room,
                               p->crossing});
    o.wires.push_back(std::move(w));
  }
  return o;
}

}  // namespace gamehub::server
