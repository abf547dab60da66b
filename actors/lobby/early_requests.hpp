// Players of a hub that has just died reconnect before their games are here. Their requests wait
// until another hub's death can be excluded, or until their player has arrived. Owned by the lobby;
// one thread.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/session/player_registry.hpp"
#include "hub/base/timers.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::lobby {

class early_requests {
 public:
  // Of the timer_up that calls retry().
  static constexpr std::uint64_t timer_number = 1;
  // More requests do not wait, nor any longer than this. When all places are taken, the address
  // that has most of them makes room for one that has fewer: strangers keep no player out.
  static constexpr std::size_t requests_max = 4'096;
  static constexpr std::chrono::seconds time_max{5};
  static constexpr std::chrono::milliseconds retry_pause{100};
  // Most players that bring a secret are new: they wait only if a hub has been silent for two
  // heartbeats. A client of HTTP whose hub was killed asks another one within that time; if it were
  // a new player there, it had games at two hubs, and a move without game_id would go to either.
  static constexpr std::chrono::milliseconds silent_max{500};

  // Returns true if players of another hub may still arrive who were not there at this time. Empty:
  // there is no other hub.
  using may_arrive = std::function<bool(base::instant)>;

  // `arm` sets a timer; `answer` is called for each request that waits no longer.
  early_requests(std::function<base::timers::token(base::instant)> arm,
                 std::function<void(runtime::resume_request&)> answer)
      : arm_(std::move(arm)), answer_(std::move(answer)) {}

  // Takes a request with an unknown secret, of this digest, if its player may arrive. Returns false
  // if it is to be answered now.
  bool hold(runtime::resume_request&, std::string digest, base::instant now, const may_arrive&);

  // Answers the requests whose player is there now, or does not arrive.
  void retry(base::instant now, const session::player_registry&, const may_arrive&);

  // Drops the request of this session.
  void forget(player_id asking);

  // Drops all requests. Returns the timer that is set, to be cancelled.
  base::timers::token clear();

 private:
  struct request {
    runtime::resume_request what;
    std::string digest;
    base::instant asked{}, absent_at{};
    // Of the request's client; null: exempt from limits. The client keeps it.
    const address_account* account = nullptr;
  };

  // Answers the latest request of the address that has most of them, if those are more than
  // `account` would have with one more.
  bool make_room(const address_account* account);
  void count_out(const request&);
  void answer(request&);
  void arm(base::instant now);

  const std::function<base::timers::token(base::instant)> arm_;
  const std::function<void(runtime::resume_request&)> answer_;
  std::vector<request> waiting_;
  std::unordered_map<const address_account*, std::size_t> waiting_of_;  // without the exempt ones
  base::timers::token timer_;
  bool answering_ = false;
};

}  // namespace gamehub::actors::lobby
