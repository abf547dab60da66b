// The port to a log that several hubs share. A member is one life of one hub process and has a log;
// a member that seems dead is adopted by another one, which then owns its log. Only a member that
// is not adopted can append, so it does not matter whether the dead one is dead. The released games
// of a batch become the log of a new member that has left, which others adopt. Games that are
// asleep are in the log of no member, until one takes them. Owned by log_writer; the thread of
// log_store calls it.
#pragma once

#include "hub/core/id_pool.hpp"
#include "hub/core/ids.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/member_id.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::journal {

using gamehub::id_block;

enum class adoption : std::uint8_t {
  adopted,  // this member owns the log, now or since before: no append of the other one succeeds
  taken,    // a third member owns the log
  absent,   // there is no such member
  fenced,   // this member is itself adopted, and owns nothing
  unknown,  // adopted, or not: ask again
};
std::string_view to_string(adoption);

// What ids are claimed for.
enum class id_kind : std::uint8_t { games, players };
std::string_view to_string(id_kind);

// A change of the keys that no two members have: names of players, and digests of their secrets.
struct key_change {
  enum class kind : std::uint8_t {
    claim,  // takes the keys that no other member has
    // Also those of members that this one has adopted, directly or not, and of games that are
    // asleep.
    inherit,
    // Gives the keys back, those of games that are asleep to no member: they stay taken. What this
    // member does not have is left alone.
    free,
  };
  kind what = kind::claim;
  std::vector<std::string> keys;
  // Of `free`: also all keys of the members that this one has adopted and released.
  bool of_released = false;
  // Of `claim`: also takes those that this member has, which gives them to this one; 0: none.
  member_id from = {};
};

// Carries out a change and calls the function with what change_keys() of a shared_log returned, on
// another thread; or never, if the hub ends.
using key_changer =
    std::function<void(key_change, std::function<void(std::optional<std::vector<std::string>>)>)>;

class shared_log : public log_store {
 public:
  // Returns the number of this member, which open() gave it.
  virtual member_id self() const = 0;

  // Makes this member the owner of the log of another one, unless that has an owner. An owner that
  // was adopted itself counts as its adopter does. Throws nothing that a database can cause.
  virtual adoption adopt(member_id) = 0;

  // Returns the logs that fall to the owner of this member: its own first, then those that it had
  // adopted and not released, the latest first. Any thread. Throws an exception of the database.
  virtual std::vector<member_id> logs_of(member_id) = 0;

  // Reads the log of a member: everything that its appends wrote before it was adopted, except
  // games that have ended or went into quarantine under a later owner. Any thread. Requires:
  // adopt() answered `adopted` for it, or for a member whose logs_of() has it. Throws an exception
  // of the database.
  virtual log_contents recover(member_id) = 0;

  // Deletes the logs of adopted members, except games in quarantine, and their heartbeats. Returns
  // false if that is not certain. Requires: each of their open games is in the log of this member,
  // or ended. Throws nothing that a database can cause.
  virtual bool release(std::span<const member_id>) = 0;

  // Claims ids that no member has had or will have, all below 2^53. Returns nothing if that is not
  // certain; the ids are then lost. Throws nothing that a database can cause.
  virtual std::optional<id_block> claim_ids(id_kind) = 0;

  // As journal::take_asleep(): games that are asleep become open games of this member, whose
  // log has a row of `kept` for each, and the keys of their players become its keys, if no other
  // member has them. Only if this member is not adopted. No value: they were taken, or not, or are
  // taken before the next call that has a value, which then has them, too; but never after it. One
  // thread at a time, which need not be that of the other functions. Throws nothing that a database
  // can cause.
  struct taken_games {
    std::vector<std::pair<game_id, sleeping_log>> games;
    member_id elsewhere = {};
    bool more = false;
    std::optional<base::wall_time> next_due = {};
  };
  virtual std::optional<taken_games> take_asleep(const sleeper_query&) = 0;

  // Carries out a change, all of it or nothing, unless this member is adopted. Returns which of the
  // keys this member has now; of `free` nothing of interest. No value: it was carried out, or not,
  // or is carried out before the next change, but never after one that had a value. Throws nothing
  // that a database can cause.
  virtual std::optional<std::vector<std::string>> change_keys(const key_change&) = 0;
};

// A claim takes this many ids. A block of games lasts a hub for seconds at its full speed.
inline constexpr std::uint64_t id_block_size = 4'096;

}  // namespace gamehub::journal
