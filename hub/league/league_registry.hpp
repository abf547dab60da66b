// Adapts the league to the interface that the gateway of bots uses, logs registrations and errors,
// and supplies the time. Owned by the composition; any thread.
#pragma once

#include "hub/core/bot_registry.hpp"
#include "hub/league/arena.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::league {

class league_registry final : public bot_registry {
 public:
  // The arena outlives it.
  explicit league_registry(arena& to, bool here = true) : arena_(to), here_(here) {}

  // The arena has the bots of the cluster now.
  void arrive();

  void find_owner(const std::string& token, found_owner) override;
  void enter(const bot_profile&, const bot_owner&, std::function<void(const entered&)>) override;
  bool is_registered(bot_id) const override;
  void when_removed(std::function<void(const std::vector<bot_id>&)>) override;
  void on_online(const bot_record&, bool for_two) override;
  void on_failure(const bot_record&, const bot_error&) override;
  void on_reply(const bot_record&, std::string_view method, game_id, trace_id,
                const std::string& text) override;
  std::vector<bot_record> bots_to_reconnect() override;
  bool is_here() const override { return here_; }
  void when_arrived(std::function<void()>) override;
  std::vector<scheduled_match> next_games() override;
  void when_due(std::function<void()>) override;
  void game_opened(match_id, game_id) override;
  void game_not_opened(match_id) override;
  void game_ended(game_id, const outcome&) override;

 private:
  arena& arena_;
  std::atomic<bool> here_;
  std::mutex mutex_;
  std::function<void()> arrived_;  // guarded by the mutex
};

}  // namespace gamehub::league
