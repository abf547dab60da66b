// The response to a request that another hub of the cluster has read. It goes there in parts, of
// which only some are on the way at once: neither a slow client nor a long response may take the
// link from others. It lives on the loop of its service, shared by the relay and by who answers.
#pragma once

#include "gateways/http/request.hpp"
#include "gateways/http/request_relay.hpp"
#include "gateways/http/stream_output.hpp"
#include "hub/base/timers.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

class relayed_answer final : public responder, public std::enable_shared_from_this<relayed_answer> {
 public:
  relayed_answer(request_relay&, loop_service&, member_id to, std::uint64_t number);
  ~relayed_answer() override;

  // Returns the head of a response, without its body.
  static gamehub::relay::web_answer message_of(std::uint64_t number, const response&);

  // Answers the request. Called once.
  void run(const gamehub::relay::web_request&);
  // The other hub has passed these bytes on.
  void on_taken(std::uint32_t bytes);
  // The client has left, or the other hub does not live any more.
  void stop();

  loop_service& service() const override { return service_; }
  void set_route(operation) override {}
  void attach(std::shared_ptr<attached_stream>) override;
  void charge_requests(std::uint32_t) override;
  void set_poll_timeout(limits::seconds) override;
  void begin_stream(std::string_view content_type) override;
  void send_chunk(std::initializer_list<std::string_view> parts) override;
  void end_stream() override;
  void answer(const response&) override;
  void answer_delayed(response, limits::seconds) override;

 private:
  enum class state : std::uint8_t { answering, streaming, ending, ended };

  std::size_t unsent_bytes() const { return text_.size() - sent_bytes_; }
  // Sends what may be sent now, and the end after it.
  void flush();
  bool send(const gamehub::relay::message&);
  void end();
  void detach();
  void arm(base::instant);
  void on_timer();

  request_relay& relay_;
  loop_service& service_;
  const member_id to_;
  const std::uint64_t number_;
  state state_ = state::answering;
  std::shared_ptr<attached_stream> stream_;
  std::string text_;                 // the body, or what the stream wrote
  std::size_t sent_bytes_ = 0;       // of it
  std::size_t untaken_bytes_ = 0;    // sent, and not passed on yet
  std::optional<response> head_;     // of a response that ends
  std::optional<response> delayed_;  // to be answered later
  std::uint32_t extra_requests_ = 0;
  bool stream_paused_ = false;
  base::instant next_timeout_ = base::instant::max();  // of the stream, or of what is delayed
  bool blocked_ = false;                               // the link has no room
  base::timers::token timer_;
};

}  // namespace gamehub::gateways::http
