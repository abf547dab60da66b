#include "hub/app/offer.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "hub/app/traits.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {

namespace {

// A wire of which nothing can be set has none.
wire_settings settings_of(const settings& s, std::string_view wire) {
  const auto at = s.wires.find(wire);
  return at == s.wires.end() ? wire_settings{} : at->second;
}

engine_traits port_engine(const actors::catalog& directory, const gateways::protocol& p,
                          const wire_settings& wire) {
  const auto where = std::string{p.name} + "-engine";
  const auto number = directory.find_engine(wire.engine);
  if (!number) {
    std::string known;
    for (const auto& e : directory.engines) known += (known.empty() ? "" : ", ") + e.traits.id;
    throw usage_error{"--" + where + ": there is no engine \"" + wire.engine +
                           "\"; choose one of " + known + "."};
  }
  auto with = actors::traits_for_options(directory.engines[*number], wire.options);
  if (const auto* wrong = std::get_if<std::string>(&with))
    throw usage_error{"--" + std::string{p.name} + "-options for " + wire.engine + ": " +
                           *wrong + "."};
  const auto& traits = std::get<engine_traits>(with);
  if (const auto why = p.unsupported_reason(traits))
    throw usage_error{"--" + where + ": " + traits.id + " can't be played over " +
                           std::string{p.name} + ": it " + *why +
                           "; `gamehub engines` lists what can."};
  return traits;
}

std::string looks(const engine_traits& t) {
  auto out = std::to_string(t.players) + " players";
  if (t.has_cells())
    out += " on " + std::to_string(t.rows) + " x " + std::to_string(t.columns) + " cells as " +
           t.marks;
  return out;
}

// Why the newest version of an engine can't follow the one that is here; empty if it can.
std::string unlike(const offer& to, const actors::engine_entry& here, const engine_traits& traits) {
  const auto was = looks(here.traits), is = looks(traits);
  if (was != is)
    return "it is for " + is + ", and version " + here.rules.version_text() +
           ", which is played here, is for " + was + ": start the hub anew to have it";
  for (const auto& w : to.wires)
    if (w.engine.id == traits.id)
      if (const auto why = w.protocol->unsupported_reason(traits))
        return "it can't be played over " + std::string{w.protocol->name} +
               ", whose engine it is: it " + *why;
  return {};
}

}  // namespace

std::variant<std::uint16_t, std::string> add_engine(offer& to, const engines::engine& late) {
  auto& directory = to.catalog;
  if (directory.find_engine(late.id(), late.version_text())) return engines::is_registered(late);
  engine_traits traits;
  try {
    traits = traits_of(late);
  } catch (const engines::engine_failure& failure) {
    return failure.what();
  }
  if (const auto newest = directory.find_engine(late.id())) {
    const auto& here = directory.engines[*newest];
    if (older(here.rules, late))
      if (auto why = unlike(to, here, traits); !why.empty()) return why;
  }
  if (const auto number = directory.add(late, std::move(traits))) return *number;
  return "there are " + std::to_string(limits::engines_max) +
         " engines already, and no room for more: remove some files and start the hub anew";
}

offer make_engine_catalog(const engines::registry& registry, const settings& s) {
  offer o;
  for (const auto& e : registry.all()) o.catalog.add(e, traits_of(e));
  for (const auto* p : gateways::protocols()) {
    const auto wire = settings_of(s, p->name);
    // Who comes by another wire's port comes where that one is on.
    const auto entrance = p->behind.empty() ? wire : settings_of(s, p->behind);
    if (!entrance.port) continue;
    open_wire w{p, wire, {}};
    if (p->engine_per_port) w.engine = port_engine(o.catalog, *p, wire);
    // A gateway of requests knows by itself when its clients have gone.
    const bool own_clocks = p->over_requests || p->over_calls;
    const auto grace = own_clocks ? std::chrono::seconds{0} : wire.grace;
    o.catalog.wires.push_back(
        {std::string{p->name}, p->form, grace, p->unsupported_reason, wire.opponent, own_clocks});
    o.wires.push_back(std::move(w));
  }
  return o;
}

}  // namespace gamehub::app
