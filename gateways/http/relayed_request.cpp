#include "gateways/http/relayed_request.hpp"

#include "gateways/http/dispatch.hpp"
#include "gateways/http/errors.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/loop_service.hpp"
#include "hub/base/json.hpp"

#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

namespace messages = gamehub::relay;
using std::chrono::steady_clock;

namespace {

// What is kept of a response that is no stream, and of a stream that is paused: the other hub has
// relayed_answer's 64 KiB on the way.
constexpr std::size_t body_bytes_max = 64 * 1024 * 1024;
constexpr std::size_t paused_bytes_max = 128 * 1024;

// A player is found this often for one request: hubs that drain one after the other hand it on.
constexpr int found_max = 8;

error unavailable(std::string why) {
  auto e = plain(error_code::hub_full, std::move(why));
  e.retry_after = limits::http_retry_soon;
  return e;
}

// A client_id does not cross, so the response that names the player lacks it.
void add_client_id(const std::string& id, std::string& body) {
  std::string member = "{\"client_id\":";
  base::json::append_quoted(id, member);
  body.replace(0, 1, member += ',');
}

}  // namespace

relayed_request::relayed_request(request_relay& relay, std::shared_ptr<kept_request> what,
                                 loop_service& here, std::shared_ptr<stream_output> to)
    : relay_(relay), kept_(std::move(what)), to_(std::move(to)), service_(here) {}

void relayed_request::start(member_id to) {
  if (!to_) return;
  home_ = to;
  number_ = relay_.open(shared_from_this(), to);
  kept_->what.number = number_;
  // Longer than a long poll waits.
  to_->set_poll_timeout(limits::http_relayed_time_max);
  if (!relay_.port().send(to, kept_->what, steady_clock::now()))
    fail("the hub of your player or game can't be asked now: try again");
}

std::shared_ptr<stream_output> relayed_request::finish() {
  relay_.close(std::exchange(number_, 0));
  return std::exchange(to_, nullptr);
}

void relayed_request::fail(std::string why) {
  if (!is_open()) return;
  const auto self = shared_from_this();
  finish()->answer(to_response(unavailable(std::move(why))));
}

void relayed_request::take(std::size_t bytes) {
  // If the link has no room, the home waits for the next one.
  untaken_bytes_ += bytes;
  if (paused_ || untaken_bytes_ == 0) return;
  if (relay_.port().send(
          home_, messages::web_taken{number_, static_cast<std::uint32_t>(untaken_bytes_)}, {}))
    untaken_bytes_ = 0;
}

void relayed_request::receive(messages::web_part& m) {
  if (!is_open()) return;
  const auto self = shared_from_this();
  if (streams_ ? untaken_bytes_ > paused_bytes_max : body_.size() > body_bytes_max)
    return give_up();
  if (streams_)
    to_->send_chunk({m.bytes});
  else
    body_ += m.bytes;
  if (is_open()) take(m.bytes.size());
}

void relayed_request::receive(messages::web_answer& m) {
  if (!is_open() || streams_) return;
  const auto self = shared_from_this();
  const auto digest = kept_->what.digest;
  if (m.not_here && is_elsewhere(static_cast<int>(m.status))) {
    // It is somewhere else by now.
    if (const auto key = client_key::of_digest(digest)) relay_.forget(*key);
    finish();
    return dispatch_again(kept_);
  }
  if (const auto key = client_key::of_digest(digest); key && !m.not_here)
    relay_.set_home(*key, home_);
  const auto owned = std::make_shared<messages::web_answer>(std::move(m));
  response r;
  r.status = static_cast<int>(owned->status);
  r.content_type = owned->content_type;
  r.cache_control = owned->cache_control;
  for (std::size_t i = 0; i < std::min(owned->names.size(), owned->values.size()); ++i)
    r.fields.push_back({owned->names[i], owned->values[i]});
  r.body = std::move(body_) + owned->body;
  if (kept_->what.opens && r.status == 200) add_client_id(kept_->client_id, r.body);
  r.extra_requests = owned->extra_requests;
  r.place = owned;  // of the texts
  finish()->answer(r);
}

bool relayed_request::is_elsewhere(int status) const {
  // A player that was found there has moved since if its client is unknown. A game that is unknown
  // to the hub of its player is at no hub.
  const int most = status == status_of(error_code::unknown_game) ? 1 : found_max;
  return may_repeat() && !kept_->asked && kept_->found < most;
}

void relayed_request::receive(const messages::web_stream& m) {
  if (!is_open() || std::exchange(streams_, true)) return;
  if (const auto key = client_key::of_digest(kept_->what.digest)) relay_.set_home(*key, home_);
  to_->charge_requests(m.extra_requests);
  to_->begin_stream(m.content_type);
}

void relayed_request::receive(const messages::web_end&) {
  if (!is_open() || !streams_) return;
  const auto self = shared_from_this();
  finish()->end_stream();
}

void relayed_request::give_up() {
  relay_.port().send(home_, messages::web_gone{number_}, {});
  if (streams_) return finish()->break_off();
  fail("the hub of your player or game sends too long a response");
}

void relayed_request::lose() {
  if (!is_open()) return;
  const auto self = shared_from_this();
  // The client reads on from its last update.
  if (streams_) return finish()->end_stream();
  // It may have been carried out.
  if (!kept_->counts_once || !may_repeat())
    return fail("the hub of your player has ended: look at your game before you go on");
  finish();
  kept_->located = kept_->asked = false;
  kept_->found = 0;
  dispatch_again(kept_);
}

void relayed_request::stop() {
  if (is_open()) relay_.port().send(home_, messages::web_gone{number_}, {});
  finish();
}

void relayed_request::on_timeout() {
  // The home sends the heartbeats of a stream.
  if (streams_) return take(0);
  if (is_open()) relay_.port().send(home_, messages::web_gone{number_}, {});
  fail("the hub of your player or game does not answer: try again");
}

void relayed_request::pause(bool on) {
  paused_ = on;
  if (is_open()) take(0);
}

void relayed_request::on_shutdown() {
  if (!is_open()) return;
  // The other hub answers it.
  if (changes_something()) return to_->set_poll_timeout(limits::http_relayed_drain_max);
  const auto self = shared_from_this();
  relay_.port().send(home_, messages::web_gone{number_}, {});
  if (streams_) return finish()->end_stream();
  finish()->answer(to_response(from(refusal::draining)));
}

}  // namespace gamehub::gateways::http
