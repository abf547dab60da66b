// Requests a snapshot of a game and, if wanted, its updates so far, and sends both as one response.
// It lives on the loop of the request; the spectator service shares it until the response is sent.
#pragma once

#include "gateways/http/client_request.hpp"
#include "gateways/http/response_bodies.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/core/offer.hpp"
#include "hub/core/spectator_service.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gamehub::gateways::http {

// Answers with the replay of a game that has ended, for guests or as its player of the seat saw it;
// a private game's replay only to its players.
void send_replay(const loop_service&, game_id, std::optional<seat_index> seat,
                 const response_handle&);

// Answers what an invitation leads to. One that does not exist counts as a guess of the account,
// which is null if the client has no limits.
void send_invitation(const loop_service&, const std::string& invitation, bool yours,
                     const address_account_ref&, base::instant received, const response_handle&);

// Answers a GET of a game, a replay or an invitation as for a guest. Returns false, and does
// nothing, for other requests. `by` as above.
bool answer_guest(const loop_service&, const client_request&, const address_account_ref& by);

class game_query final : public watcher, public std::enable_shared_from_this<game_query> {
 public:
  // `seat` is the player's seat; none for a guest.
  game_query(const loop_service&, game_id, std::optional<seat_index> seat, bool history,
             response_handle, std::vector<offer_update> offers = {});
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
  const std::vector<offer_update> offers_;
  std::optional<game_snapshot> snapshot_;
  std::unique_ptr<watch_handle> watch_;
  update_list history_;
  std::uint64_t last_ = 0;
};

}  // namespace gamehub::gateways::http
