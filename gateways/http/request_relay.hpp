// The requests that this hub passes on to other hubs of the cluster, and those that it answers for
// them (hub/relay/README.md, "Requests over HTTP"). One for all loops; outlives their services'
// connections. Any thread, but for what is said of a loop.
#pragma once

#include "gateways/http/client_id.hpp"
#include "hub/relay/web_port.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::gateways::http {

class loop_service;
class relayed_answer;
class relayed_request;
class responder;

using gamehub::relay::member_id;

// A request as it crosses, and what it needs to be dispatched again.
struct kept_request {
  gamehub::relay::web_request what;
  std::shared_ptr<responder> from;
  std::string client_id;     // never crosses
  bool counts_once = false;  // also if it is carried out again
  bool located = false;      // its game was looked for
  bool asked = false;        // the hubs were asked for its game just now, or only one may answer it
  int found = 0;             // the times that its player was found at another hub
  // Its client reads the updates as a guest, and watches the game from here at this other hub.
  bool is_guest = false;
  std::optional<member_id> watched_at = {};
};

class request_relay final : public gamehub::relay::web_receiver {
 public:
  // More clients whose player is at another hub are not remembered: each request looks for it.
  static constexpr std::size_t homes_max = 65'536;
  // Of each other hub, for each loop: the requests that are not answered, streams included, and
  // those that wait for their loop. More are refused.
  static constexpr std::size_t answers_max = 4'096;

  // Both outlive it. The services may be added later.
  request_relay(gamehub::relay::web_port&, const std::vector<loop_service*>&);
  ~request_relay();
  request_relay(const request_relay&) = delete;
  request_relay& operator=(const request_relay&) = delete;

  gamehub::relay::web_port& port() { return port_; }

  // The hub that has answered the latest request of a client.
  std::optional<member_id> home_of(const client_key&) const;
  void set_home(const client_key&, member_id);
  void forget(const client_key&);

  // Passes a request on to another hub, whose response goes to its responder. On the loop of that.
  void pass(const std::shared_ptr<kept_request>&, member_id to);
  // Passes it on if its game, or that of the invitation, is at another hub, else dispatches it
  // here. On the loop of its responder.
  void locate(const std::shared_ptr<kept_request>&, game_id, std::string invitation = {});
  // Calls `then` on this loop with the other hub where that game is; none: it is here, or at no
  // hub.
  void find(loop_service&, game_id, std::string invitation,
            std::function<void(std::optional<member_id>)> then);

  // Tells the other hubs, as far as the links have room.
  void announce(const gamehub::relay::guest_change&);

  // Returns the number of a request that is passed on, from which messages come until close().
  std::uint64_t open(const std::shared_ptr<relayed_request>&, member_id);
  void close(std::uint64_t request);
  // The response to another hub has ended.
  void close(member_id, std::uint64_t request);

  void on_web(member_id from, gamehub::relay::message) override;
  void on_lost(const std::vector<member_id>&) override;

 private:
  struct passed_request {
    std::shared_ptr<relayed_request> what;
    member_id to;
  };
  // What another hub has asked.
  struct asked_requests {
    std::map<std::uint64_t, std::shared_ptr<relayed_answer>> open;
    std::size_t waiting = 0;  // that have not begun, also if they are not open any more
  };
  struct waiting_request {
    std::shared_ptr<relayed_answer> by;
    member_id from;
    gamehub::relay::web_request what;
  };

  // Has the request answered, in its turn. Returns false if that hub has asked too much.
  bool begin(member_id from, gamehub::relay::web_request&);
  void refuse(member_id to, std::uint64_t request);
  // Begins with one request that waits for this loop, and with the next ones in later iterations:
  // many requests of other hubs delay no one here.
  void run_waiting(loop_service&);

  gamehub::relay::web_port& port_;
  const std::vector<loop_service*>& services_;
  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::map<client_key, member_id> homes_;
  std::map<std::uint64_t, passed_request> passed_;
  std::map<member_id, asked_requests> asked_;
  std::map<loop_service*, std::deque<waiting_request>> waiting_;
  std::uint64_t last_number_ = 0;
};

}  // namespace gamehub::gateways::http
