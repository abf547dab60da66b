// Resolves the host of a bot's URL and checks its addresses by the policy. Names are resolved on
// separate threads, because the system's resolver blocks and cannot be cancelled: a name that is
// never answered delays other registrations only. Owned by bot_dispatcher; any thread.
#pragma once

#include "gateways/bots/address_policy.hpp"
#include "gateways/bots/url.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::gateways::bots {

// Where a bot is called: its URL, and the addresses that were resolved and checked when it
// registered. A later change of the name in DNS has no effect. Immutable, any thread.
struct bot_endpoint {
  bot_url url;
  std::vector<boost::asio::ip::tcp::endpoint> addresses;  // in the order of trying
};

class resolver {
 public:
  // Checks addresses by this policy.
  explicit resolver(address_policy);
  ~resolver() { stop(); }
  resolver(const resolver&) = delete;
  resolver& operator=(const resolver&) = delete;

  // The endpoint, or an error text for the bot's author without a full stop.
  using result = std::variant<std::shared_ptr<const bot_endpoint>, std::string>;

  // Resolves a URL. `answer` is called on the given loop, or within the call. Requires: the loop
  // runs until stop().
  void find(bot_url, boost::asio::io_context& loop, std::function<void(result)>);

  // Stops without waiting for names that are being resolved; no result is delivered any more.
  void stop();

 private:
  struct threads;

  std::shared_ptr<threads> threads_;
};

}  // namespace gamehub::gateways::bots
