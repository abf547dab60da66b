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

// What is listed: each engine with its traits and its file, and the files that were refused. An
// engine that passed its check and fails now is one of these.
struct contents {
  struct entry {
    engines::host::engine rules;
    engine_traits traits;
    std::string file;
  };
  struct refusal {
    std::string file, why;
  };

  contents(const engines::host::registry& registry, std::span<const plugins::plugin> plugins) {
    for (const auto& e : registry.all()) {
      auto file = file_of(e, plugins);
      try {
        listed.push_back({e, plugins::traits_of(e), file});
      } catch (const engines::host::engine_failure& failure) {
        refused.push_back({file.empty() ? std::string{e.id()} : std::move(file), failure.what()});
      }
    }
    for (const auto& p : plugins)
      if (!p.engine) refused.push_back({p.file.string(), p.why});
  }

  std::vector<entry> listed;
  std::vector<refusal> refused;
};

void write_engine(const contents::entry& of,
                  std::span<const gateways::protocol_info* const> protocols,
                  base::json_writer& to) {
  const auto& e = of.rules;
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
  write_extensions(e, of.traits, to);
  write_wires(of.traits, protocols, to);
  to.key("plugin");
  of.file.empty() ? to.nothing() : to.text(of.file);
  to.end('}');
}

}  // namespace

std::string engine_json(const engines::host::registry& registry,
                        std::span<const plugins::plugin> plugins,
                        std::span<const gateways::protocol_info* const> protocols) {
  const contents all{registry, plugins};
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.key("engines").begin('[');
  for (const auto& each : all.listed) write_engine(each, protocols, to);
  to.end(']');
  to.key("refused").begin('[');
  for (const auto& each : all.refused) {
    to.begin('{');
    to.key("file").text(each.file);
    to.key("why").text(each.why);
    to.end('}');
  }
  to.end(']');
  to.end('}');
  return out + '\n';
}

std::string engine_list(const engines::host::registry& registry,
                        std::span<const plugins::plugin> plugins,
                        std::span<const gateways::protocol_info* const> protocols) {
  const contents all{registry, plugins};
  std::string out;
  for (const auto& [e, traits, file] : all.listed) {
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
    add_line(out, "plugin", one_line(file));
  }
  std::string refused;
  for (const auto& each : all.refused)
    refused += one_line("refused: " + each.file + ": " + each.why) + '\n';
  return refused.empty() ? out : out + '\n' + refused;
}

}  // namespace gamehub::server
