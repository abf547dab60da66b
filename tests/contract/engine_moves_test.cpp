// The table of moves in engines/README.md, made by the engines themselves: every built-in engine is
// played at random, and each form of its moves is a row. GAMEHUB_GOLDEN=write writes the table.
#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests {
namespace {

using nlohmann::ordered_json;

// The values of one member in all moves of a form.
struct values_of_member {
  static constexpr std::size_t words_shown = 6;

  std::set<std::string> words;  // that are no integers, as JSON
  std::int64_t least = 0, most = 0;
  bool counts = false;

  void add(const ordered_json& value) {
    if (!value.is_number_integer()) {
      words.insert(value.dump());
      return;
    }
    const auto n = value.get<std::int64_t>();
    least = counts ? std::min(least, n) : n;
    most = counts ? std::max(most, n) : n;
    counts = true;
  }
  std::string text() const {
    std::string out = counts ? std::to_string(least) : "";
    if (counts && most != least) out += " to " + std::to_string(most);
    std::size_t shown = 0;
    for (const auto& word : words) {
      if (shown++ == words_shown) return out + ", …";
      (out += out.empty() ? "" : ", ") += "`" + word + "`";
    }
    return out;
  }
};

// The moves with the same members.
struct form_of_moves {
  std::string example;
  std::vector<std::string> names;
  std::map<std::string, values_of_member> members;
};
using forms = std::map<std::string, form_of_moves>;

void add(const std::string& text, forms& to) {
  const auto move = ordered_json::parse(text);
  std::string key;
  for (const auto& [name, value] : move.items()) key += name + " ";
  auto& form = to[key];
  const auto first = form.example.empty();
  if (first) form.example = text;
  for (const auto& [name, value] : move.items()) {
    if (first) form.names.push_back(name);
    form.members[name].add(value);
  }
}

void play_at_random(const engines::host::engine& rules, std::uint64_t seed, forms& to) {
  engines::rng dice{seed};
  auto match = std::get<engines::host::match>(rules.create({}));
  std::vector<engines::action> actions;
  std::vector<std::uint32_t> weights;
  while (!match.over()) {
    if (match.at_chance()) {
      match.chance_outcomes(actions, weights);
      REQUIRE(match.apply(engines::chance, dice.one_of(actions)) == nullptr);
      continue;
    }
    int seat = 0;
    while ((match.to_move() & engines::only(seat)) == 0) ++seat;
    match.legal_actions(seat, actions);
    for (const auto a : actions) add(match.to_json(a), to);
    REQUIRE(match.apply(seat, dice.one_of(actions)) == nullptr);
  }
}

std::string table_of_moves() {
  constexpr std::uint64_t games = 5;
  const auto all = engines::host::registry::built_in();
  std::string out = "| engine | a move | its members |\n|---|---|---|\n";
  for (const auto& rules : all.all()) {
    forms found;
    for (std::uint64_t seed = 1; seed <= games; ++seed) play_at_random(rules, seed, found);
    for (const auto& [key, form] : found) {
      out += "| `" + std::string{rules.id()} + "` | `" + form.example + "` | ";
      for (const auto& name : form.names)
        out += (name == form.names.front() ? "`" : ", `") + name +
               "`: " + form.members.at(name).text();
      out += " |\n";
    }
  }
  return out;
}

TEST_CASE("engines: the README has the moves of every built-in engine as JSON") {
  const auto path = std::string{GAMEHUB_SOURCE_DIR} + "/engines/README.md";
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  const std::string begins = "<!-- moves -->\n", ends = "<!-- end of moves -->";
  const auto from = text.find(begins), to = text.find(ends);
  REQUIRE(from != text.npos);
  REQUIRE(to != text.npos);
  const auto at = from + begins.size();
  const auto current = table_of_moves();
  const char* const wish = std::getenv("GAMEHUB_GOLDEN");
  if (wish != nullptr && std::string_view{wish} == "write") {
    text.replace(at, to - at, current);
    std::ofstream{path, std::ios::binary} << text;
    return;
  }
  CHECK(text.substr(at, to - at) == current);
}

}  // namespace
}  // namespace gamehub::tests
