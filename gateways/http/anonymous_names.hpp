// The listed guests of one game, with their generated names. More guests may watch unlisted. Not
// stored: the list follows the open streams. A plain value, one thread.
#pragma once

#include "gateways/http/http_limits.hpp"
#include "hub/base/endpoint.hpp"
#include "hub/base/random.hpp"
#include "hub/base/token_bucket.hpp"
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
  anonymous_registry(std::size_t listed_max, base::random_source&);

  // As add() of the game's list. Also returns nothing if too many guests of this game were listed
  // lately: each arrival and departure is a line to all readers of the game.
  std::optional<std::string> add(game_id, base::random_source&, std::span<const std::string> taken,
                                 base::instant now);
  void remove(game_id, const std::string& name);

 private:
  const std::size_t listed_max_;
  const base::hash_key key_;
  std::mutex mutex_;
  base::bucket_table arrivals_;  // by game
  std::map<game_id, anonymous_names> games_;
};

}  // namespace gamehub::gateways::http
