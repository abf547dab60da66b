#include "gateways/http/webhook_requests.hpp"

#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "hub/base/json.hpp"

#include <boost/asio/post.hpp>

#include <utility>
#include <variant>

namespace gamehub::gateways::http {
namespace {

error no_webhooks() {
  return plain(error_code::unknown_game,
               "the hub has no webhooks: its operator did not set --webhooks");
}

error from(const webhook_refusal& no) {
  using reason = webhook_refusal::reason;
  if (no.why == reason::too_many) return rate_exceeded(no.wait);
  error e;
  e.message = no.text;
  switch (no.why) {
    case reason::invalid: break;
    case reason::unknown: e.code = error_code::unknown_game; break;
    case reason::too_many:
    case reason::full:
    case reason::stopping:
      e.code = error_code::hub_full;
      e.retry_after = limits::http_retry_soon;
      break;
  }
  return e;
}

response to_response(const webhook_registry::outcome& what) {
  if (const auto* no = std::get_if<webhook_refusal>(&what)) return http::to_response(from(*no));
  const auto& now = std::get<webhook_state>(what);
  response r;
  base::json_writer to{r.body};
  to.begin('{');
  to.text("url", now.url);
  to.truth("on", now.on);
  if (!now.on) to.text("why", now.why);
  to.number("failures", now.failures);
  to.number("waiting", now.waiting);
  to.end('}');
  return r;
}

// The registry answers on its own thread.
webhook_registry::answer answer_to(loop_service& at, response_handle to) {
  return [&at, to = std::move(to)](const webhook_registry::outcome& what) {
    boost::asio::post(at.loop().io(), [&at, to, what] { to.send(at, to_response(what)); });
  };
}

}  // namespace

void set_webhook(loop_service& at, const client_key& who, client_request& a) {
  auto* const all = at.setup().webhooks;
  if (all == nullptr) return a.to.send(at, no_webhooks());
  auto wanted = std::move(*a.webhook);
  wanted.player = who.text();
  all->set(std::move(wanted), answer_to(at, a.to));
}

void show_webhook(loop_service& at, const client_key& who, const response_handle& to) {
  auto* const all = at.setup().webhooks;
  all == nullptr ? to.send(at, no_webhooks()) : all->find(who.text(), answer_to(at, to));
}

void remove_webhook(loop_service& at, const client_key& who, const response_handle& to) {
  auto* const all = at.setup().webhooks;
  all == nullptr ? to.send(at, no_webhooks()) : all->remove(who.text(), answer_to(at, to));
}

}  // namespace gamehub::gateways::http
