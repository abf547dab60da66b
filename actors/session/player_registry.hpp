// The names and secrets of players that the hub knows by name. Names are unique while they are in
// use; a secret brings its player back, a name never does. A plain value; the lobby owns it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

namespace gamehub::actors {

// The name of a player that has none of its own: client-N.
std::string default_name(player_id);

class player_registry {
 public:
  // The name that this player gets: the wanted one, cut to limits::name_bytes_max; with a suffix
  // (dup-1) if it is in use or looks like a default one or the house's; the default one if nothing
  // printable is wanted. The digest is of the secret that brings the player back; empty: nothing
  // does.
  std::string enter(player_id, std::string_view wanted, std::string digest);

  // Why it would not get this name as it is, if it would not. Nothing wanted is nothing refused.
  std::optional<refusal> why_not(std::string_view wanted) const;

  // Takes the player as it was before the hub was away.
  void restore(player_id, const std::string& name, std::string digest);

  std::optional<player_id> find_digest(const std::string& digest) const;

  struct entry {
    std::string name, digest;
  };
  // What enter() gave and was given, or null.
  const entry* find(player_id) const;

  void leave(player_id);

 private:
  struct taken {
    player_id by;
    std::uint32_t next_suffix = 1;
  };

  std::unordered_map<player_id, entry> players_;
  std::unordered_map<std::string, taken> names_;
  std::unordered_map<std::string, player_id> digests_;
};

}  // namespace gamehub::actors
