#include "hub/app/offer.hpp"

#include <string>

#include "hub/app/traits.hpp"

namespace gamehub::app {

namespace {

engine_traits port_engine(const actors::catalog& offered, const gateways::protocol& p,
                          const wire_settings& wire) {
  const auto where = std::string{p.name} + "-engine";
  const auto number = offered.find_engine(wire.engine);
  if (!number) {
    std::string known;
    for (const auto& e : offered.engines) known += (known.empty() ? "" : ", ") + e.traits.id;
    throw operator_mistake{"--" + where + ": there is no engine \"" + wire.engine +
                           "\"; choose one of " + known + "."};
  }
  const auto& traits = offered.engines[*number].traits;
  if (const auto why = p.unfit(traits))
    throw operator_mistake{"--" + where + ": " + traits.id + " can't be played over " +
                           std::string{p.name} + ": it " + *why +
                           "; `gamehub engines` lists what can."};
  return traits;
}

}  // namespace

offer make_offer(const engines::registry& registry, const settings& s) {
  offer o;
  for (const auto& e : registry.all()) o.catalog.engines.push_back({e, traits_of(e)});
  for (const auto* p : gateways::protocols()) {
    const auto& wire = s.wires.find(p->name)->second;
    if (!wire.port) continue;
    actors::wire_entry entry{std::string{p->name}, p->form, wire.grace, {}};
    for (const auto& e : o.catalog.engines) entry.unfit.push_back(p->unfit(e.traits));
    open_wire w{p, wire, {}};
    if (p->engine_per_port) w.engine = port_engine(o.catalog, *p, wire);
    o.catalog.wires.push_back(std::move(entry));
    o.wires.push_back(std::move(w));
  }
  return o;
}

}  // namespace gamehub::app
