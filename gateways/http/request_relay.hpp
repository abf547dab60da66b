// The requests that this hub passes on to other hubs of the cluster, and those that it answers for
// them (hub/relay/README.md, "Requests over HTTP"). One for all loops; outlives their services'
// connections. Any thread, but for what is said of a loop.
#pragma once

#include "gateways/http/client_id.hpp"
#include "hub/relay/web_port.hpp"

#include <cstddef>
#include <cstdint>
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
  std::string client_id;  // never crosses
  bool located = false;   // its game was looked for
  bool asked = false;     // the hubs were asked for its player or game just now
  // Its client reads the updates as a guest, and watches the game from here at this other hub.
  bool is_guest = false;
  std::optional<member_id> watched_at = {};
};

class request_relay final : public gamehub::relay::web_receiver {
 public:
  // More clients whose player is at another hub are not remembered: each request looks for it.
  static constexpr std::size_t homes_max = 65'536;

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
  using answer_name = std::pair<member_id, std::uint64_t>;

  gamehub::relay::web_port& port_;
  const std::vector<loop_service*>& services_;
  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::map<client_key, member_id> homes_;
  std::map<std::uint64_t, passed_request> passed_;
  std::map<answer_name, std::shared_ptr<relayed_answer>> answers_;
  std::uint64_t last_number_ = 0;
};

}  // namespace gamehub::gateways::http
