// Who is listed as watching which game, over all loops. Made with the servers; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gateways/http/guests.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::gateways::http::server {

class guest_book {
 public:
  explicit guest_book(std::size_t listed_max) : listed_max_(listed_max) {}

  // As guests::enter() of that game.
  std::optional<std::string> enter(game_id game, random_source& luck,
                                   std::span<const std::string> taken) {
    const std::lock_guard lock{mutex_};
    return games_.try_emplace(game, listed_max_).first->second.enter(luck, taken);
  }
  void leave(game_id game, const std::string& name) {
    const std::lock_guard lock{mutex_};
    const auto at = games_.find(game);
    if (at == games_.end()) return;
    at->second.leave(name);
    if (at->second.names().empty()) games_.erase(at);
  }

 private:
  const std::size_t listed_max_;
  std::mutex mutex_;
  std::map<game_id, guests> games_;
};

}  // namespace gamehub::gateways::http::server
