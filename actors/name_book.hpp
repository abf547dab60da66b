// The names and secrets of players that the hub knows by name. Names are unique while they are in
// use; a secret brings its player back, a name never does. A plain value; the lobby owns it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hub/core/ids.hpp"

namespace gamehub::actors {

// The name of a player that has none of its own: client-N.
std::string default_name(player_id);

class name_book {
 public:
  // The name that this player gets: the wanted one, cut to limits::name_bytes_max; with a suffix
  // (dup-1) if it is in use or looks like a default one; the default one if nothing printable is
  // wanted.
  std::string enter(player_id, std::string_view wanted, const std::string& secret);

  std::optional<player_id> find_secret(const std::string& secret) const;

  // The name that enter() gave, or null.
  const std::string* find_name(player_id) const;

  void leave(player_id);

 private:
  struct entry {
    std::string name, secret;
  };
  struct taken {
    player_id by;
    std::uint32_t next_suffix = 1;
  };

  std::unordered_map<player_id, entry> players_;
  std::unordered_map<std::string, taken> names_;
  std::unordered_map<std::string, player_id> secrets_;
};

}  // namespace gamehub::actors
