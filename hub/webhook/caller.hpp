// Calls webhooks: resolves the host each time, checks its addresses by the policy, and calls
// only an address that has answered a challenge. A name that leads elsewhere later gets a
// challenge, and nothing else until it is answered. The service owns it and uses it on its thread.
#pragma once

#include "gateways/bots/resolver.hpp"
#include "gateways/bots/url.hpp"
#include "gateways/http_client/call.hpp"
#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/webhook/book.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

namespace gamehub::webhook {

struct visit {
  gateways::bots::bot_url url;
  std::string secret;
  std::string owner;      // one name of an owner is resolved at a time
  std::string confirmed;  // the address that may be called without a challenge; empty: none
  std::string body;       // empty: only the challenge
};

struct visit_result {
  book::result how = book::result::failed;
  std::string confirmed = {};
  std::string why = {};  // of a failure, in words, without the text of the receiver
};

class caller {
 public:
  caller(boost::asio::io_context&, std::vector<base::network> allowed,
         gateways::bots::resolver::lookup, base::duration call_time);

  // Makes a call. `done` is called once on the thread, within the call or later, and not after
  // stop().
  void start(visit, std::function<void(const visit_result&)> done);
  // Cancels all calls.
  void stop();

 private:
  using endpoint_ref = std::shared_ptr<const gateways::bots::bot_endpoint>;
  struct running;
  using running_ref = std::shared_ptr<running>;

  void on_resolved(const running_ref&, const gateways::bots::resolver::result&);
  void challenge(const running_ref&, std::size_t address);
  void on_challenged(const running_ref&, std::size_t address, const std::string& text,
                     const gateways::http_client::outcome&);
  void send(const running_ref&, std::size_t address);
  // Sends a body to one address of the host.
  void post(const running_ref&, std::size_t address, const std::string& body,
            std::function<void(const gateways::http_client::outcome&)> then);

  boost::asio::io_context& io_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  base::system_entropy random_;
  const base::duration call_time_;
  std::unordered_set<std::shared_ptr<gateways::http_client::call>> calls_;
  gateways::bots::resolver resolver_;
  bool stopped_ = false;
};

}  // namespace gamehub::webhook
