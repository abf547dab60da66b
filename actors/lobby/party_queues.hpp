// Resolves a seek for a waiting game, by invitation or for a rematch to the queue of its party,
// because the members of a party are paired with each other only. Owned by the lobby and used on
// its loop; it reads the lobby's data and changes only the seek.
#pragma once

#include "actors/lobby/game_directory.hpp"
#include "actors/lobby/matchmaker.hpp"
#include "actors/lobby/rematch_offers.hpp"
#include "actors/runtime/interfaces.hpp"
#include "actors/session/player_registry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gamehub::actors::lobby {

// The detail of the refusal of a game that does not wait, or is private.
inline constexpr const char* no_such_game = "no game of that number waits for a player";

// Returns the queue name of an invitation. It contains only the digest of the secret.
std::string party_of_invitation(const std::string& invitation);

class party_queues {
 public:
  // The arguments outlive this object.
  party_queues(waiting_games& waiting, const session::player_registry& names,
               const matchmaker& matches)
      : waiting_(waiting), names_(names), matches_(matches) {}

  // Fills in what the waiting game, the invitation or the finished game determines (engine,
  // options, host, seat, opponents) and sets `party`. Leaves any other seek unchanged. Returns the
  // refusal if there is no such party, or the player may not join it.
  std::optional<runtime::seek_result> resolve(runtime::seek_request&, queue_key& party) const;

  // Returns who may join the waiting game alone; empty: any player.
  std::string reserved_for(const runtime::seek_request&) const;
  // Returns the players of the ended game. Requires: the seek is for its rematch.
  std::vector<rematch_offers::member> players_of_rematch(const runtime::seek_request&) const;

 private:
  std::optional<runtime::seek_result> resolve_join(runtime::seek_request&, queue_key&) const;
  std::optional<runtime::seek_result> resolve_invitation(runtime::seek_request&, queue_key&) const;
  std::optional<runtime::seek_result> resolve_rematch(runtime::seek_request&, queue_key&) const;
  // The same for a game of three seats or more, with its seats.
  std::optional<runtime::seek_result> resolve_big_rematch(runtime::seek_request&,
                                                          const std::vector<journal::record>&,
                                                          queue_key&) const;
  static void name_rematch(const runtime::seek_request&, queue_key&);

  waiting_games& waiting_;
  const session::player_registry& names_;
  const matchmaker& matches_;
};

}  // namespace gamehub::actors::lobby
