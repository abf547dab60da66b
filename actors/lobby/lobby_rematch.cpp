// Rematches in the lobby: carries out what rematch_offers decides.
#include "actors/lobby/lobby.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

std::optional<runtime::seek_result> lobby::why_no_rematch(const runtime::seek_request& m) {
  const auto no = [&m](refusal why, std::string detail) {
    return runtime::seek_result{{}, {}, why, std::move(detail), m.answers};
  };
  if (!m.rematch_of || offers_.is_offered(m.player, m.rematch_of)) return std::nullopt;
  if (m.only_if_offered) return no(refusal::no_offer, "there is no such offer");
  for (const auto other : m.awaits)
    if (const auto at = players_.find(other); at != players_.end())
      if (!at->second.features.answers_offers)
        return no(refusal::no_offer,
                  "the client of " + names_.find(other)->name + " can't answer offers");
  if (offers_.is_too_fast(m.player, owning_loop().now())) return no(refusal::rate_limited, {});
  return std::nullopt;
}

// Without others no player is asked: they are engines, or a player that is paired by name. A player
// without a name can offer nothing.
void lobby::offer_rematch(const runtime::seek_request& m) {
  if (m.awaits.empty() || names_.find(m.player) == nullptr) return;
  carry_out(
      offers_.ask(m.player, m.rematch_of, parties_.players_of_rematch(m), owning_loop().now()));
}

void lobby::decline_others(player_id player, game_id except) {
  if (!offers_.empty() && !matches_.may_play_more(player))
    carry_out(offers_.decline_others(player, except, offer_cause::elsewhere));
}

void lobby::carry_out(const rematch_offers::effects& what) {
  for (const auto& m : what.messages)
    if (const auto at = players_.find(m.to); at != players_.end() && at->second.session)
      send(at->second.session, event{{}, m.game, m.what});
  std::vector<pairing> tables;
  for (const auto player : what.seats_given_back) {
    const auto at = seeks_.find(player);
    if (at == seeks_.end() || matches_.end_rematch(player, owning_loop().now(), tables)) continue;
    send(at->second.session,
         runtime::seek_result{{}, waiting_.game_of(player), refusal::opponent_left, {}, {}});
    matches_.withdraw(player);
    remove_seek(player);
  }
  if (!what.seats_given_back.empty()) open_tables(tables);
}

void lobby::decline(runtime::decline_request& m) {
  rematch_offers::effects found;
  std::vector<pairing> tables;
  bool ended = false;
  if (m.what.step == offer_step::declined) {
    found = offers_.decline_one(m.player, m.what.game, m.what.why);
  } else if (const auto at = seeks_.find(m.player);
             at != seeks_.end() && at->second.rematch_of == m.what.game) {
    found = offers_.withdraw(m.player, m.what.why);
    // It may also wait without an offer: it has no name, or the other player is paired by name.
    ended = matches_.end_rematch(m.player, owning_loop().now(), tables);
  }
  if (!ended && found.messages.empty())
    return send(m.session,
                event{m.answers, {}, refused{refusal::not_in_game, "there is no such offer", {}}});
  carry_out(found);
  send(m.session, event{m.answers, m.what.game, gamehub::done{}});
  open_tables(tables);
}

}  // namespace gamehub::actors::lobby
