// Two players of the HTTP wire at one table, the game that they play, and what is read of it. One
// thread.
#pragma once

#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/hub.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gamehub::tests::system {

// X wins by 0, 1, 2. Updates: 1 status, 2 and 3 connect, 4 to 8 moves, 9 end.
inline constexpr std::uint64_t last_update = 9;
inline constexpr int moves[] = {0, 3, 1, 4, 2};

struct http_table {
  explicit http_table(hub& at, const std::string& first = "stan",
                      const std::string& second = "kyle")
      : x(at.http(), first), o(at.http(), second), name(first) {
    game = x.play()["game_id"].get<std::string>();
    path = "/api/updates/" + game;
  }
  void begin() { REQUIRE(o.play()["opponent_name"] == name); }
  void play(std::size_t from, std::size_t to) {
    for (; from < to; ++from) REQUIRE((from % 2 == 0 ? x : o).move(moves[from]).status == 200);
  }

  api_player x, o;
  std::string name, game, path;
};

inline std::vector<std::uint64_t> numbers_of(const std::vector<nlohmann::json>& all) {
  std::vector<std::uint64_t> out;
  for (const auto& each : all) out.push_back(each["update_id"].get<std::uint64_t>());
  return out;
}

inline std::vector<std::uint64_t> from_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> out;
  for (; first <= last; ++first) out.push_back(first);
  return out;
}

// True for updates of the game's log; guests, presence and the present state have no own number.
inline bool is_numbered(const nlohmann::json& u) {
  const auto type = u.value("type", "");
  return type != "state" && type != "away" && type != "back" && u.value("player", "") != "G";
}

// The next update of the game's log; null at the end.
inline nlohmann::json next_numbered(api_client& reader) {
  auto u = reader.update();
  while (!u.is_null() && !is_numbered(u)) u = reader.update();
  return u;
}

// The next update of a type, numbered or not; null at the end.
inline nlohmann::json next_of(api_client& reader, const std::string& type) {
  auto u = reader.update();
  while (!u.is_null() && u.value("type", "") != type) u = reader.update();
  return u;
}

// All numbered updates that a stream has until its end.
inline std::vector<nlohmann::json> rest_of(api_client& reader) {
  std::vector<nlohmann::json> out;
  for (auto u = next_numbered(reader); !u.is_null(); u = next_numbered(reader)) out.push_back(u);
  return out;
}

}  // namespace gamehub::tests::system
