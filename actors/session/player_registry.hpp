// The names and resume tokens of players. A name is unique while it is in use, and for a while
// after its player took another one. Only the secret resumes a player, never the name. A plain
// value; the lobby owns it and uses it on its loop.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/core/reasons.hpp"
#include "hub/journal/record.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::session {

// Returns the name of a player without a chosen name: client-N.
std::string default_name(player_id);

class player_registry {
 public:
  // Loads the tables of Unicode, which takes tens of milliseconds, so that no name waits for them.
  player_registry();

  // Registers the player and returns its name: the wanted one, cut to limits::name_bytes_max; with
  // a suffix (dup-1) if it looks like one in use or like a default one; the default one if the
  // wanted name is not acceptable (hub/core/player_name.hpp) or reserved, or if a few suffixes and
  // the number of the player are taken. `digest` is that of the
  // resume token; empty: the player cannot be resumed.
  std::string enter(player_id, std::string_view wanted, std::string digest);

  // A player of another hub has the name that enter() gave: gives the player another one, as
  // enter() does. `lost` counts the names that others had: the second time it is one with the
  // number of the player, then the default one. Requires: the player has just entered with this
  // wanted name.
  std::string enter_other(player_id, std::string_view wanted, int lost);

  struct name_refusal {
    refusal why = refusal::name_taken;
    std::string detail = {};  // of name_unacceptable: the word of the fault

    friend bool operator==(const name_refusal& x, refusal why) { return x.why == why; }
  };
  // Returns why enter() would not assign exactly this name, or nothing. An empty name is accepted.
  // What `own` has, or had lately, is free for it.
  std::optional<name_refusal> why_not(std::string_view wanted, player_id own = {}) const;

  // Gives a player another name. The old one stays reserved until old_name_kept has passed, so that
  // no other player is taken for this one. Requires: why_not(name, player) is nothing; the player
  // has fewer than limits::names_per_player_max names, or had this one before.
  void rename(player_id, const std::string& name, base::instant now);
  // True if the player may take this name, or has had too many others. All names that a player has
  // had count for bans and mutes, so their number has a bound.
  bool may_rename(player_id, const std::string& name) const;
  // Frees the reserved names whose time is over. Returns their players.
  std::vector<player_id> expire(base::instant now);

  // Registers a player that was restored from the journal, with the names that it had before.
  void restore(player_id, const std::string& name, std::string digest,
               std::vector<std::string> former = {});

  // Returns the player whose resume token has this digest.
  std::optional<player_id> find_digest(const std::string& digest) const;

  struct former_name {
    std::string name;
    base::instant reserved_until{};
  };
  struct entry {
    std::string name, digest;
    std::vector<former_name> former = {};  // names that it had, without the present one
  };
  // Returns the names and the digest of the player, or null.
  const entry* find(player_id) const;

  // Returns what no other player has: keys of the names that are reserved for the player, and its
  // digest. A default name is left out, because its number is unique.
  std::vector<std::string> keys_of(player_id, base::instant now) const;
  // Returns the keys of one more name. Any thread.
  static std::vector<std::string> keys_of(std::string_view name);
  // The same for all players of a game who can come back, and the keys of their secrets: no other
  // player may have them while the game goes on. Requires: the records are the log from its begin.
  static std::vector<std::string> keys_of(std::span<const journal::record> log);
  static std::string key_of_digest(std::string_view digest);

  // Removes the player; its name is free again.
  void leave(player_id);

  // States whether a name with this key is taken that is not in this registry. Null: none is.
  void also_taken(std::function<bool(const std::string& key)> is) { also_taken_ = std::move(is); }

  // The number of names that enter() has looked up so far: its cost without the time of it.
  std::uint64_t look_ups() const { return look_ups_; }

 private:
  struct taken {
    player_id by;
    std::uint32_t next_suffix = 1;
  };

  // Returns the name with a suffix that makes it free, or the default name.
  std::string with_suffix(player_id, std::string_view wanted, taken* like);
  std::string with_number(player_id, std::string_view wanted);
  // Returns what is taken and looks like this name, or null.
  taken* look_up(std::string_view name);
  bool is_taken_elsewhere(std::string_view name) const;
  bool is_free(std::string_view name);
  void reserve(player_id, std::string_view name);
  void free(player_id, std::string_view name);

  std::unordered_map<player_id, entry> players_;
  // When to look at the former names of a player; the first one at the front.
  std::deque<std::pair<base::instant, player_id>> expiries_;
  std::unordered_map<std::string, taken> names_;  // by the keys of names
  std::unordered_map<std::string, player_id> digests_;
  std::uint64_t look_ups_ = 0;
  std::function<bool(const std::string&)> also_taken_;
  taken elsewhere_;
};

}  // namespace gamehub::actors::session
