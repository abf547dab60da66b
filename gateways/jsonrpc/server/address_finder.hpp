// Finds the addresses of a bot's URL and judges them by the policy. Names are asked for on threads
// of its own, because the system's resolver waits and cannot be told to stop: a name that is never
// answered holds up other registrations at worst, and no game. Owned by hub/app; calls come from
// any thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "gateways/jsonrpc/address_policy.hpp"
#include "gateways/jsonrpc/server/place.hpp"

namespace gamehub::gateways::jsonrpc::server {

class address_finder {
 public:
  explicit address_finder(address_policy);
  ~address_finder() { stop(); }
  address_finder(const address_finder&) = delete;
  address_finder& operator=(const address_finder&) = delete;

  // The place, or a sentence for the bot's author without its end.
  using found = std::variant<std::shared_ptr<const place>, std::string>;

  // Answered on that loop, or within the call. Requires: the loop runs until this is stopped.
  void find(bot_url, boost::asio::io_context& home, std::function<void(found)>);

  // Does not wait for names that are just asked for: nothing is found from now on.
  void stop();

 private:
  struct threads;

  std::shared_ptr<threads> threads_;
};

}  // namespace gamehub::gateways::jsonrpc::server
