// Resolves the host of a bot's URL and checks its addresses by the policy. Names are resolved on
// separate threads, because the system's resolver blocks and cannot be cancelled: a name that is
// never answered delays other bots of the same owner only, as long as a thread is left. Owned by
// bot_dispatcher; any thread.
#pragma once

#include "gateways/bots/address_policy.hpp"
#include "gateways/bots/bot_limits.hpp"
#include "gateways/bots/url.hpp"
#include "gateways/http_client/call.hpp"
#include "hub/base/time.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::gateways::bots {

// Where a bot is called: its URL, and the addresses that were resolved and checked when it
// registered. A later change of the name in DNS has no effect. Immutable, any thread.
struct bot_endpoint : http_client::server {
  bot_url url;
};

class resolver {
 public:
  // Returns the addresses of a host; none: there is no such host. May block; called on any thread.
  using lookup = std::function<std::vector<boost::asio::ip::address>(const std::string& host)>;
  static std::vector<boost::asio::ip::address> ask_system(const std::string& host);

  // Checks addresses by this policy. `patience` is the time limit of one request.
  explicit resolver(address_policy, lookup = ask_system,
                    base::duration patience = limits::bot_resolve_max);
  ~resolver() { stop(); }
  resolver(const resolver&) = delete;
  resolver& operator=(const resolver&) = delete;

  // The endpoint, or an error text for the bot's author without a full stop. Each name that can't
  // be called gets the same text, so that the names of the hub's network stay unknown.
  using result = std::variant<std::shared_ptr<const bot_endpoint>, std::string>;

  // Resolves a URL, one name of an owner at a time. `answer` is called on the given loop, or within
  // the call. Requires: the loop runs until stop().
  void find(bot_url, const std::string& owner, boost::asio::io_context& loop,
            std::function<void(result)> answer);

  // Stops without waiting for names that are being resolved; no result is delivered any more.
  void stop();

 private:
  class queue;

  const address_policy policy_;
  const base::duration patience_;
  std::shared_ptr<queue> queue_;
};

}  // namespace gamehub::gateways::bots
