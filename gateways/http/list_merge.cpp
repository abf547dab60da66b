#include "gateways/http/list_merge.hpp"

#include "gateways/http/parameters.hpp"
#include "hub/base/json.hpp"
#include "hub/core/ids.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::http {
namespace {

using base::json::walk;

struct list {
  std::vector<std::pair<game_id, std::string_view>> games;
  std::optional<game_id> next;
  std::vector<std::pair<std::string_view, std::string_view>> others;  // members
};

std::optional<game_id> game_in(const base::json::value& v) {
  return v.what == base::json::kind::string ? read_game(base::json::unquoted(v.spelled))
                                            : std::nullopt;
}

std::optional<game_id> id_of(std::string_view game) {
  std::optional<game_id> id;
  walk each{game, walk::over::object};
  while (each.step())
    if (base::json::says(each.name(), "game_id")) id = game_in(each.here());
  return each.whole() ? id : std::nullopt;
}

std::optional<list> read_list_of_games(std::string_view body) {
  list out;
  walk members{body, walk::over::object};
  while (members.step()) {
    const auto& value = members.here();
    if (base::json::says(members.name(), "next")) {
      out.next = game_in(value);
    } else if (!base::json::says(members.name(), "games")) {
      out.others.emplace_back(members.name(), value.spelled);
    } else if (value.what == base::json::kind::array) {
      walk games{value.spelled, walk::over::array};
      while (games.step())
        if (const auto id = id_of(games.here().spelled))
          out.games.emplace_back(*id, games.here().spelled);
    }
  }
  return members.whole() ? std::optional{std::move(out)} : std::nullopt;
}

}  // namespace

std::string merge_game_lists(std::span<const std::string> bodies, std::size_t limit) {
  std::map<game_id, std::string_view, std::greater<>> games;
  std::optional<game_id> next;
  std::vector<std::pair<std::string_view, std::string_view>> others;
  for (const auto& body : bodies) {
    const auto of_hub = read_list_of_games(body);
    if (!of_hub) continue;
    if (&body == &bodies.front()) others = of_hub->others;
    games.insert(of_hub->games.begin(), of_hub->games.end());
    if (of_hub->next && (!next || *of_hub->next > *next)) next = of_hub->next;
  }
  std::string out = "{\"games\":[";
  std::size_t count = 0;
  game_id last;
  for (const auto& [id, game] : games) {
    if (next && id < *next) break;
    if (count == limit) {
      next = last;
      break;
    }
    if (count++ != 0) out += ',';
    out += game;
    last = id;
  }
  out += "],\"next\":";
  out += next ? '"' + std::to_string(next->value) + '"' : "null";
  for (const auto& [name, value] : others) {
    out += ',';
    out += name;
    out += ':';
    out += value;
  }
  out += '}';
  return out;
}

}  // namespace gamehub::gateways::http
