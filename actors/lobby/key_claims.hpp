// Which keys the players of this hub need that no two hubs of a cluster have (names, and digests of
// secrets), which of them the hub has, and what is to be changed in the database for that. One
// change is under way at a time, with all keys that have gathered since. A plain value; owned by
// the lobby, one thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"
#include "hub/journal/shared_log.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

class key_claims {
 public:
  // Of one change, which takes some milliseconds of the database.
  static constexpr std::size_t keys_at_once = 1'024;
  // After a change that failed, and before a key that another hub has is asked for again.
  static constexpr std::chrono::milliseconds retry_pause{250};
  static constexpr std::chrono::seconds lost_pause{2};

  // From now on the player needs these keys, and no others. Keys that another hub had are asked for
  // again. Returns true if the hub has all of them; else a decision follows. `keeps`: the player
  // has them whether or not the hub gets them, which goes on asking, also for keys of hubs that it
  // has adopted. Other players of this hub lose them. `from`: the hub that the player comes from,
  // whose keys become this hub's.
  bool hold(player_id, std::vector<std::string> keys, bool keeps = false,
            journal::member_id from = {});
  // The player has moved to another hub, which has its keys now.
  void give_away(player_id);
  // The player has left with its games suspended, which another hub, or the next start, goes on
  // with. Its keys stay those of this hub until that one has them, and no other player here gets
  // them.
  void leave_behind(player_id);
  // Another hub may have taken the keys of the player, which has not moved there after all, or the
  // log keeps them for a game of it: they are asked for again, until this hub has them.
  void doubt(player_id);
  // The player needs none. They are freed now or at this time, if no other player needs them then;
  // at the latest of these times if several players have dropped them.
  void drop(player_id, base::instant free_at = {});
  // Likewise, of a player with games that are asleep in the log: its keys stay taken there. They
  // are freed before another player of this hub gets one.
  void drop_asleep(player_id, base::instant free_at = {});
  // Nothing that was dropped for later is freed before this time.
  void postpone_frees(base::instant until);
  // Frees what is left of the keys of hubs that this one has taken over, once the keys of their
  // players are this hub's. Keys that another hub had are asked for again before: it may be one of
  // these hubs.
  void free_released() { frees_released_ = asks_lost_at_once_ = true; }
  // True until that was carried out.
  bool frees_released() const { return frees_released_ || (under_way_ && under_way_->of_released); }

  // Returns the next change. Nothing: one is under way, nothing is to be changed, or it is too
  // early.
  std::optional<journal::key_change> next(base::instant now);

  // All keys of the player are decided.
  struct decision {
    player_id player;
    std::vector<std::string> lost;  // another player has them
  };
  // Takes the answer to the change that is under way, as shared_log::change_keys() returns it.
  std::vector<decision> on_answer(const std::optional<std::vector<std::string>>& owned,
                                  base::instant now);

  // True if next() has something to return, now or later.
  bool has_work() const;

  // For tests: the keys that this hub has, or may have.
  std::size_t owned() const;

 private:
  using change_kind = journal::key_change::kind;

  enum class row : std::uint8_t { none, maybe, owned, lost };
  struct key_state {
    std::vector<player_id> holders;
    row is = row::none;
    base::instant kept_until{};  // not freed before
    bool inherits = false;
    bool is_asleep = false;   // freed before a player gets it: a game that is asleep may have it
    bool is_doubted = false;  // asked for before it is freed: the row may say more than this hub
    bool asked = false;       // in the change that is under way
    bool stale = false;  // its answer will say nothing: another hub has taken the key meanwhile
    journal::member_id from = {};  // that gives the key to this hub
  };
  struct holder {
    std::vector<std::string> keys, undecided, lost;
    bool keeps = false;
  };

  void give_away(const std::string& key, player_id);
  void remove_holder(const std::string& key, player_id, base::instant free_at = {});
  void enqueue(const std::string& key, const key_state&);
  bool is_kept(const key_state&) const;
  static change_kind next_change(const key_state&);
  bool is_kept_from(player_id, const key_state&) const;
  // Takes the keys from a queue that still need this change.
  std::vector<std::string> take(std::deque<std::string>& from, change_kind, base::instant now);
  void decide(const std::string& key, key_state&, bool owned, std::vector<decision>&);
  void requeue_lost(base::instant now);

  std::unordered_map<std::string, key_state> keys_;
  std::unordered_map<player_id, holder> players_;
  // Keys in these may have changed since.
  std::deque<std::string> to_free_, to_claim_, to_inherit_;
  // With the time at which each is looked at again; it is freed at its kept_until, which may be
  // later.
  std::deque<std::pair<base::instant, std::string>> to_free_later_;
  std::vector<std::string> lost_;  // that are asked for again
  base::instant ask_lost_at_{}, not_before_{};
  std::optional<journal::key_change> under_way_;
  journal::member_id from_;  // of the keys that were taken last
  bool frees_released_ = false, asks_lost_at_once_ = false;
};

}  // namespace gamehub::actors::lobby
