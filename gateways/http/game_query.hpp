// Asks the gallery for a game as it stands and, where they are wanted, for its updates so far, and
// answers with both. Lives on the loop of who asks, shared by the gallery until it has answered.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gateways/http/server/ask.hpp"
#include "hub/core/gallery.hpp"

namespace gamehub::gateways::http::server {

// The replay of a game that has ended; of a closed one for its players alone.
void tell_replay(const service&, game_id, bool to_player, const reply&);

class game_query final : public watcher, public std::enable_shared_from_this<game_query> {
 public:
  // `seat` is whose the answer is; none: a guest's.
  game_query(const service&, game_id, std::optional<seat_index> seat, bool history, reply);
  ~game_query() override;

  void start();

  void found(const game_progress&) override;
  void tell(const update_ref&) override;
  void ended() override { finish(); }
  void unknown() override { finish(); }

 private:
  void finish();
  void answer();

  const service& service_;
  game_id game_;
  std::optional<seat_index> seat_;
  bool wants_history_;
  reply to_;
  std::optional<game_snapshot> snapshot_;
  std::unique_ptr<watching> watch_;
  std::vector<update_ref> history_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::gateways::http::server
