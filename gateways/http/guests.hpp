// Who watches a game without playing in it, by name: as many as are listed at once. More may watch,
// unlisted. Kept nowhere: it is of the streams that are open now. A plain value; the game's feed
// owns it, one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gateways/http/http_limits.hpp"
#include "hub/core/entropy.hpp"

namespace gamehub::gateways::http {

class guests {
 public:
  // With room for none, nobody is listed.
  explicit guests(std::size_t listed_max = limits::http_guests_listed_max)
      : listed_max_(listed_max) {}

  // The name under which one more guest is listed: Guest1234, nobody else's of this game and none
  // of `taken`. Nothing if no more are listed.
  std::optional<std::string> enter(entropy&, std::span<const std::string> taken);

  // False if nobody of that name is listed.
  bool leave(std::string_view name);

  // In the order in which they came.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::size_t listed_max_;
  std::vector<std::string> names_;
};

}  // namespace gamehub::gateways::http
