#include "hub/server/engine_list.hpp"

#include "hub/base/json.hpp"
#include "hub/plugins/engine_traits.hpp"

#include <vector>

namespace gamehub::server {
namespace {

// File names may have control characters; the list has one line per file.
std::string one_line(std::string text) {
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return text;
}

void append(std::string& to, const std::string& item) { to += (to.empty() ? "" : ", ") + item; }

std::string players(const engines::host::engine& e) {
  const auto least = std::to_string(e.players_min());
  if (e.players_min() == e.players_max())
    return least + (e.players_min() == 1 ? " player" : " players");
  return least + " to " + std::to_string(e.players_max()) + " players";
}

std::vector<std::string> kinds(const engines::host::engine& e) {
  std::vector<std::string> out;
  if (e.simultaneous()) out.emplace_back("moves at the same time");
  if (e.has_chance()) out.emplace_back("chance");
  if (!e.perfect_information()) out.emplace_back("hidden information");
  return out;
}

std::string extensions(const engines::host::engine& e, const engine_traits& traits) {
  std::string out;
  if (traits.has_cells())
    append(out, "cells (" + std::to_string(traits.rows) + " x " + std::to_string(traits.columns) +
                    ", marks " + traits.marks + ")");
  if (e.has_player()) append(out, e.player_immediate() ? "player (immediate)" : "player");
  if (!e.face().empty()) append(out, "face");
  if (e.has_score()) append(out, "score");
  if (e.has_summary()) append(out, "summary");
  return out;
}

// Appends one line about an engine, unless the text is empty.
void add_line(std::string& to, std::string_view what, const std::string& text) {
  constexpr std::size_t width = 12;
  if (text.empty()) return;
  to += "  ";
  to += what;
  to += std::string(what.size() < width ? width - what.size() : 1, ' ') + text + '\n';
}

// Returns the file of an engine; empty for a built-in one.
std::string file_of(const engines::host::engine& e, std::span<const plugins::plugin> all) {
  for (const auto& p : all)
    if (p.engine && *p.engine == e) return p.file.string();
  return {};
}

void write_wires(const engine_traits& traits,
                 std::span<const gateways::protocol_info* const> protocols, base::json_writer& to) {
  to.key("on").begin('[');
  for (const auto* wire : protocols)
    if (!wire->unsupported_reason(traits)) to.text(wire->name);
  to.end(']');
  to.key("not_on").begin('{');
  for (const auto* wire : protocols)
    if (const auto why = wire->unsupported_reason(traits)) to.key(wire->name).text("it " + *why);
  to.end('}');
}

void write_extensions(const engines::host::engine& e, const engine_traits& traits,
                      base::json_writer& to) {
  to.key("extensions").begin('{');
  if (traits.has_cells()) {
    to.key("cells").begin('{');
    to.key("rows").number(traits.rows);
    to.key("columns").number(traits.columns);
    to.key("marks").text(traits.marks);
    to.end('}');
  }
  if (e.has_player()) {
    to.key("player").begin('{');
    to.key("immediate").truth(e.player_immediate());
    to.end('}');
  }
  if (!e.face().empty()) to.key("face").as_is(e.face());
  if (e.has_score()) to.key("score").begin('{'), to.end('}');
  if (e.has_summary()) to.key("summary").begin('{'), to.end('}');
  to.end('}');
}

void write_engine(const engines::host::engine& e, const std::string& file,
                  std::span<const gateways::protocol_info* const> protocols,
                  base::json_writer& to) {
  const auto traits = plugins::traits_of(e);
  to.begin('{');
  to.key("id").text(e.id());
  to.key("version").text(e.version_text());
  to.key("title").text(e.title());
  to.key("players").begin('{');
  to.key("least").number(e.players_min());
  to.key("most").number(e.players_max());
  to.end('}');
  to.key("with").begin('[');
  for (const auto& kind : kinds(e)) to.text(kind);
  to.end(']');
  write_extensions(e, traits, to);
  write_wires(traits, protocols, to);
  to.key("plugin");
  file.empty() ? to.nothing() : to.text(file);
  to.end('}');
}

}  // namespace

std::string engine_json(const engines::host::registry& registry,
                        std::span<const plugins::plugin> plugins,
                        std::span<const gateways::protocol_info* const> protocols) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.key("engines").begin('[');
  for (const auto& e : registry.all()) write_engine(e, file_of(e, plugins), protocols, to);
  to.end(']');
  to.key("refused").begin('[');
  for (const auto& p : plugins) {
    if (p.engine) continue;
    to.begin('{');
    to.key("file").text(p.file.string());
    to.key("why").text(p.why);
    to.end('}');
  }
  to.end(']');
  to.end('}');
  return out + '\n';
}

std::string engine_list(const engines::host::registry& registry,
                        std::span<const plugins::plugin> plugins,
                        std::span<const gateways::protocol_info* const> protocols) {
  std::string out;
  for (const auto& e : registry.all()) {
    const auto traits = plugins::traits_of(e);
    out += (out.empty() ? "" : "\n") + std::string{e.id()} + ' ' + e.version_text() + ": " +
           std::string{e.title()} + ", " + players(e) + '\n';
    std::string with;
    for (const auto& kind : kinds(e)) append(with, kind);
    add_line(out, "with", with);
    add_line(out, "extensions", extensions(e, traits));
    std::string wires, unsupported;
    for (const auto* wire : protocols) {
      const std::string name{wire->name};
      if (const auto why = wire->unsupported_reason(traits))
        add_line(unsupported, "not on", name + ": it " + *why);
      else
        append(wires, name);
    }
    add_line(out, "on", wires);
    out += unsupported;
    add_line(out, "plugin", one_line(file_of(e, plugins)));
  }
  std::string refused;
  for (const auto& p : plugins)
    if (!p.engine) refused += one_line("refused: " + p.file.string() + ": " + p.why) + '\n';
  return refused.empty() ? out : out + '\n' + refused;
}

}  // namespace gamehub::server
