// The listed guests of one game, with their generated names. More guests may watch unlisted. Not
// stored: the list follows the open streams. A plain value, one thread.
#pragma once

#include "gateways/http/http_limits.hpp"
#include "hub/base/random.hpp"
#include "hub/core/ids.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

class anonymous_names {
 public:
  // A limit of zero lists no guest.
  explicit anonymous_names(std::size_t listed_max = limits::http_guests_listed_max)
      : listed_max_(listed_max) {}

  // Adds a guest; returns its name, Guest1234, which differs from all guests of the game and from
  // `taken`. Returns nothing if the list is full.
  std::optional<std::string> add(base::random_source&, std::span<const std::string> taken);

  // Removes a guest; returns false if the name is not listed.
  bool remove(std::string_view name);

  // Returns the names in the order of arrival.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::size_t listed_max_;
  std::vector<std::string> names_;
};

// The guests of each game, over all loops. Made with the servers; any thread.
class anonymous_registry {
 public:
  explicit anonymous_registry(std::size_t listed_max) : listed_max_(listed_max) {}

  // Call add() and remove() of the game's list.
  std::optional<std::string> add(game_id game, base::random_source& random,
                                 std::span<const std::string> taken) {
    const std::lock_guard lock{mutex_};
    return games_.try_emplace(game, listed_max_).first->second.add(random, taken);
  }
  void remove(game_id game, const std::string& name) {
    const std::lock_guard lock{mutex_};
    const auto at = games_.find(game);
    if (at == games_.end()) return;
    at->second.remove(name);
    if (at->second.names().empty()) games_.erase(at);
  }

 private:
  const std::size_t listed_max_;
  std::mutex mutex_;
  std::map<game_id, anonymous_names> games_;
};

}  // namespace gamehub::gateways::http
