// Requests a snapshot of a game and, if wanted, its updates so far, and sends both as one response.
// It lives on the loop of the request; the spectator service shares it until the response is sent.
#pragma once

#include "gateways/http/client_request.hpp"
#include "hub/core/spectator_service.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gamehub::gateways::http {

// Answers with the replay of a game that has ended; a private game's replay only to its players.
void send_replay(const loop_service&, game_id, bool to_player, const response_handle&);

class game_query final : public watcher, public std::enable_shared_from_this<game_query> {
 public:
  // `seat` is the player's seat; none for a guest.
  game_query(const loop_service&, game_id, std::optional<seat_index> seat, bool history,
             response_handle);
  ~game_query() override;

  // Sends the request.
  void start();

  void on_found(const game_progress&) override;
  void on_update(const update_ref&) override;
  void on_end() override { finish(); }
  void on_unavailable() override { finish(); }

 private:
  void finish();
  void answer();

  const loop_service& service_;
  game_id game_;
  std::optional<seat_index> seat_;
  bool wants_history_;
  response_handle to_;
  std::optional<game_snapshot> snapshot_;
  std::unique_ptr<watch_handle> watch_;
  std::vector<update_ref> history_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::gateways::http
