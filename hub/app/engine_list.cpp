#include "hub/app/engine_list.hpp"

#include "hub/app/traits.hpp"

namespace gamehub::app {
namespace {

void append(std::string& to, const std::string& item) { to += (to.empty() ? "" : ", ") + item; }

std::string players(const engines::engine& e) {
  const auto least = std::to_string(e.players_min());
  if (e.players_min() == e.players_max())
    return least + (e.players_min() == 1 ? " player" : " players");
  return least + " to " + std::to_string(e.players_max()) + " players";
}

std::string kinds(const engines::engine& e) {
  std::string out;
  if (e.simultaneous()) append(out, "moves at the same time");
  if (e.has_chance()) append(out, "chance");
  if (!e.perfect_information()) append(out, "hidden information");
  return out;
}

std::string extensions(const engines::engine& e, const engine_traits& traits) {
  std::string out;
  if (traits.has_cells())
    append(out, "cells (" + std::to_string(traits.rows) + " x " + std::to_string(traits.columns) +
                    ", marks " + traits.marks + ")");
  if (e.has_player()) append(out, e.player_immediate() ? "player (immediate)" : "player");
  return out;
}

// One line about an engine, left out where there is nothing to say.
void add_line(std::string& to, std::string_view what, const std::string& text) {
  constexpr std::size_t width = 12;
  if (text.empty()) return;
  to += "  ";
  to += what;
  to += std::string(what.size() < width ? width - what.size() : 1, ' ') + text + '\n';
}

}  // namespace

std::string engine_list(const engines::registry& registry,
                        std::span<const gateways::protocol* const> protocols) {
  std::string out;
  for (const auto& e : registry.all()) {
    const auto traits = traits_of(e);
    out += (out.empty() ? "" : "\n") + std::string{e.id()} + ' ' + e.version_text() + ": " +
           std::string{e.title()} + ", " + players(e) + '\n';
    add_line(out, "with", kinds(e));
    add_line(out, "extensions", extensions(e, traits));
    std::string wires, unfit;
    for (const auto* wire : protocols) {
      const std::string name{wire->name};
      if (const auto why = wire->unfit(traits))
        add_line(unfit, "not on", name + ": it " + *why);
      else
        append(wires, name);
    }
    add_line(out, "on", wires);
    out += unfit;
  }
  return out;
}

}  // namespace gamehub::app
