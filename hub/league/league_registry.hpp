// The arena as the gateway of bots sees it: joins the two, which know nothing of each other, and
// gives the arena its time. Owned by the hub; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/jsonrpc/registrar.hpp"
#include "hub/arena/arena.hpp"

namespace gamehub::app::bots {

class league_registry final : public gateways::bots::bot_registry {
 public:
  // The arena outlives it.
  explicit league_registry(arena::arena& to) : arena_(to) {}

  void enter(const gateways::bots::registration&, const std::string& engine,
             std::function<void(entered)>) override;
  void came_online(const gateways::bots::registered_bot&) override;
  void went_wrong(const gateways::bots::registered_bot&,
                  const gateways::bots::bot_fault&) override;
  void replied(const gateways::bots::registered_bot&, std::string_view method, game_id, trace_id,
               const std::string& text) override;
  std::vector<gateways::bots::registered_bot> expected() override;
  std::vector<gateways::bots::fixture> next_games() override;
  void when_due(std::function<void()>) override;
  void game_opened(std::uint64_t fixture, game_id) override;
  void game_not_opened(std::uint64_t fixture) override;
  void game_ended(game_id, const outcome&) override;

 private:
  arena::arena& arena_;
};

}  // namespace gamehub::app::bots
