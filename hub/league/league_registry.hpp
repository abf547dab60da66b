// Adapts the league to the interface that the gateway of bots uses, logs registrations and errors,
// and supplies the time. Owned by the composition; any thread.
#pragma once

#include "hub/core/bot_registry.hpp"
#include "hub/league/arena.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::league {

class league_registry final : public bot_registry {
 public:
  // The arena outlives it.
  explicit league_registry(arena& to) : arena_(to) {}

  void enter(const bot_registration&, const std::string& engine,
             std::function<void(entered)>) override;
  void on_online(const registered_bot&) override;
  void on_failure(const registered_bot&, const bot_fault&) override;
  void on_reply(const registered_bot&, std::string_view method, game_id, trace_id,
                const std::string& text) override;
  std::vector<registered_bot> bots_to_reconnect() override;
  std::vector<gamehub::scheduled_match> next_games() override;
  void when_due(std::function<void()>) override;
  void game_opened(std::uint64_t fixture, game_id) override;
  void game_not_opened(std::uint64_t fixture) override;
  void game_ended(game_id, const outcome&) override;

 private:
  arena& arena_;
};

}  // namespace gamehub::league
