// The names and resume tokens of players. A name is unique while it is in use. Only the secret
// resumes a player, never the name. A plain value; the lobby owns it and uses it on its loop.
#pragma once

#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gamehub::actors::session {

// Returns the name of a player without a chosen name: client-N.
std::string default_name(player_id);

class player_registry {
 public:
  // Registers the player and returns its name: the wanted one, cut to limits::name_bytes_max; with
  // a suffix (dup-1) if it looks like one in use or like a default one; the default one if the
  // wanted name is not acceptable (hub/core/player_name.hpp) or reserved. `digest` is that of the
  // resume token; empty: the player cannot be resumed.
  std::string enter(player_id, std::string_view wanted, std::string digest);

  // Returns why enter() would not assign exactly this name, or nothing. An empty name is accepted.
  std::optional<refusal> why_not(std::string_view wanted) const;

  // Registers a player that was restored from the journal.
  void restore(player_id, const std::string& name, std::string digest);

  // Returns the player whose resume token has this digest.
  std::optional<player_id> find_digest(const std::string& digest) const;

  struct entry {
    std::string name, digest;
  };
  // Returns the name and the digest of the player, or null.
  const entry* find(player_id) const;

  // Removes the player; its name is free again.
  void leave(player_id);

 private:
  struct taken {
    player_id by;
    std::uint32_t next_suffix = 1;
  };

  std::unordered_map<player_id, entry> players_;
  std::unordered_map<std::string, taken> names_;  // by the keys of names
  std::unordered_map<std::string, player_id> digests_;
};

}  // namespace gamehub::actors::session
