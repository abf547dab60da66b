// Logged games as lines of JSON, for programs that study them: the header, who sat where, every
// record with the engine's word for it, and the result. Never a secret. One thread.
#pragma once

#include "engines/host/registry.hpp"
#include "hub/journal/archive.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::admin {

// Makes one line of one game after the other.
class game_writer {
 public:
  // Requires: the registry outlives it.
  explicit game_writer(const engines::host::registry& engines) : engines_(engines) {}

  // Appends the game and the line's end. Actions are in the engine's words where the version that
  // the game was played with is here; a game in quarantine is not touched with its engine.
  void append(const journal::archived_game&, std::string& out);

 private:
  const engines::host::registry& engines_;
};

// Hands out lines, some at once, until `write` says false. Returns the games that were asked for
// and are not there.
std::vector<game_id> export_games(journal::archive&, std::span<const game_id>,
                                  const engines::host::registry&,
                                  const std::function<bool(std::string_view)>& write);

// A sentence about games that are not there, for people.
std::string no_such_games(std::span<const game_id>, const std::filesystem::path& journal);

}  // namespace gamehub::admin
