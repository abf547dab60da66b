// The games of an HTTP client that are asleep: requests that name one wake it, and those that name
// none are told of all.
#include "gateways/http/http_player.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/parameters.hpp"

#include <utility>
#include <variant>

namespace gamehub::gateways::http {

namespace {

// True if a request that names no game may mean one, or all.
bool concerns_games(operation what) {
  switch (what) {
    case operation::play:
    case operation::move:
    case operation::chat:
    case operation::quit:
    case operation::offer:
    case operation::claim:
    case operation::mine: return true;
    default: return false;
  }
}

}  // namespace

bool http_player::find_seat(client_request& a) {
  if (std::exchange(a.looked_for_seat, true)) return false;
  const auto game = game_of(a);
  const bool is_known =
      state_of(game) != nullptr || (seek_ && seek_->old && seek_->old->id() == game);
  if (game ? is_known : !partly_ || !concerns_games(a.what)) return false;
  submit(a, gamehub::find_seat{game}, true);
  return true;
}

game_id http_player::only_asleep(const client_request& a) const {
  if (a.what == operation::mine || asleep_.empty()) return {};
  if (a.what == operation::play && a.play->resume)
    return game_.has_seat() ? game_id{} : asleep_.front().id();
  if (a.what == operation::play && a.play->keep) return {};
  return running_games().size() == 1 ? asleep_.front().id() : game_id{};
}

void http_player::carry_out_found(client_request& a, const event& e) {
  if (game_of(a)) return run(a);
  const auto* found = std::get_if<done>(&e.what);
  // If none is asleep, all that begin or wake from now on are shown.
  partly_ = found != nullptr && found->asleep && !found->asleep->empty();
  if (partly_)
    for (const auto& each : *found->asleep) {
      if (state_of(each.game) != nullptr) continue;
      auto& game = asleep_.emplace_back();
      game.apply(each.game, each.begun);
      game.apply(each.game, each.latest);
    }
  if (const auto one = only_asleep(a)) {
    a.game_id = game_json(one);
    a.looked_for_seat = false;
  }
  run(a);
  asleep_.clear();
}

}  // namespace gamehub::gateways::http
