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

class arena_registrar final : public gateways::jsonrpc::registrar {
 public:
  // The arena outlives it.
  explicit arena_registrar(arena::arena& to) : arena_(to) {}

  void enter(const gateways::jsonrpc::registration&, const std::string& engine,
             std::function<void(entered)>) override;
  void came_online(const gateways::jsonrpc::registered_bot&) override;
  void went_wrong(const gateways::jsonrpc::registered_bot&,
                  const gateways::jsonrpc::bot_fault&) override;
  void replied(const gateways::jsonrpc::registered_bot&, std::string_view method, game_id, trace_id,
               const std::string& text) override;
  std::vector<gateways::jsonrpc::registered_bot> expected() override;
  std::vector<gateways::jsonrpc::fixture> next_games() override;
  void when_due(std::function<void()>) override;
  void game_opened(std::uint64_t fixture, game_id) override;
  void game_not_opened(std::uint64_t fixture) override;
  void game_ended(game_id, const outcome&) override;

 private:
  arena::arena& arena_;
};

}  // namespace gamehub::app::bots
