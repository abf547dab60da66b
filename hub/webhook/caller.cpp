#include "hub/webhook/caller.hpp"

#include "hub/webhook/messages.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::webhook {

namespace bots = gateways::bots;
namespace http_client = gateways::http_client;

namespace {

constexpr http_client::response_limits answer_limits{limits::webhook_header_bytes_max,
                                                     limits::webhook_body_bytes_max,
                                                     limits::webhook_answer_bytes_max};
constexpr std::string_view not_found =
    "its host was not found, or leads to no address that this hub calls";
constexpr int gone_status = 410;

bool is_success(int status) { return status >= 200 && status <= 299; }

// The words do not say where a name leads, nor what the receiver has sent.
std::string words_of(const http_client::outcome& what) {
  using http_client::call_error;
  if (const auto* got = std::get_if<http_client::response>(&what))
    return "it answered with the status " + std::to_string(got->status);
  switch (std::get<http_client::failure>(what).what) {
    case call_error::unreachable: return "it could not be reached";
    case call_error::certificate:
    case call_error::certificate_name: return "its TLS certificate is not trusted for its name";
    case call_error::tls: return "it could not be spoken to by TLS";
    case call_error::timeout: return "it did not answer in time";
    case call_error::broken:
    case call_error::none:
    case call_error::partial: return "the connection ended before its answer did";
    case call_error::header_size:
    case call_error::body_size:
    case call_error::total_size: return "its answer is too long";
    case call_error::not_http:
    case call_error::length:
    case call_error::chunk: break;
  }
  return "its answer is no HTTP/1.1";
}

}  // namespace

struct caller::running {
  visit what;
  std::function<void(const visit_result&)> done;
  endpoint_ref at = nullptr;
};

caller::caller(boost::asio::io_context& io, std::vector<base::network> allowed,
               bots::resolver::lookup lookup, base::duration call_time)
    : io_(io),
      tls_(http_client::tls_context()),
      call_time_(call_time),
      resolver_(bots::address_policy{std::move(allowed)}, std::move(lookup)) {}

void caller::start(visit what, std::function<void(const visit_result&)> done) {
  if (stopped_) return;
  const auto v = std::make_shared<running>(running{std::move(what), std::move(done)});
  resolver_.find(v->what.url, v->what.owner, io_,
                 [this, v](const bots::resolver::result& found) { on_resolved(v, found); });
}

void caller::stop() {
  stopped_ = true;
  resolver_.stop();
  for (const auto& each : std::exchange(calls_, {})) each->cancel();
}

void caller::on_resolved(const running_ref& v, const bots::resolver::result& found) {
  if (stopped_) return;
  const auto* const at = std::get_if<endpoint_ref>(&found);
  if (at == nullptr) return v->done({book::result::failed, {}, std::string{not_found}});
  v->at = *at;
  const auto& all = v->at->addresses;
  const auto known = std::find_if(all.begin(), all.end(), [&](const auto& each) {
    return each.address().to_string() == v->what.confirmed;
  });
  if (known == all.end() || v->what.body.empty()) return challenge(v, 0);
  send(v, static_cast<std::size_t>(known - all.begin()));
}

void caller::challenge(const running_ref& v, std::size_t address) {
  const auto text = random_.secret();
  post(v, address, challenge_body(text),
       [this, v, address, text](const auto& outcome) { on_challenged(v, address, text, outcome); });
}

void caller::on_challenged(const running_ref& v, std::size_t address, const std::string& text,
                           const http_client::outcome& outcome) {
  const auto* const got = std::get_if<http_client::response>(&outcome);
  const bool answered = got != nullptr && is_success(got->status);
  if (answered && is_answer(got->body, v->what.secret, text)) {
    v->what.confirmed = v->at->addresses[address].address().to_string();
    if (!v->what.body.empty()) return send(v, address);
    return v->done({book::result::delivered, v->what.confirmed});
  }
  if (address + 1 < std::min(v->at->addresses.size(), limits::webhook_addresses_max))
    return challenge(v, address + 1);
  v->done(
      {book::result::failed,
       {},
       answered ? "its answer to the challenge is not the one of the secret" : words_of(outcome)});
}

void caller::send(const running_ref& v, std::size_t address) {
  post(v, address, v->what.body, [v](const http_client::outcome& outcome) {
    const auto* const got = std::get_if<http_client::response>(&outcome);
    if (got != nullptr && is_success(got->status))
      return v->done({book::result::delivered, v->what.confirmed});
    const bool gone = got != nullptr && got->status == gone_status;
    v->done({gone ? book::result::gone : book::result::failed, {}, words_of(outcome)});
  });
}

void caller::post(const running_ref& v, std::size_t address, const std::string& body,
                  std::function<void(const http_client::outcome&)> then) {
  auto to = std::make_shared<http_client::server>(*v->at);
  to->addresses = {v->at->addresses[address]};
  const auto slot = std::make_shared<std::weak_ptr<http_client::call>>();
  const auto call = std::make_shared<http_client::call>(
      http_client::call::context{&io_, tls_}, std::move(to), answer_limits,
      request_bytes(v->what.url, v->what.secret, base::wall_now(), body),
      [this, slot, then = std::move(then)](const http_client::outcome& outcome) {
        calls_.erase(slot->lock());
        then(outcome);
      });
  *slot = call;
  calls_.insert(call);
  call->start(std::chrono::steady_clock::now() + call_time_);
}

}  // namespace gamehub::webhook
