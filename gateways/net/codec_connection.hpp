// A stream protocol with a codec: passes received bytes to the codec, submits the decoded intents,
// and sends what the hub delivers. It takes no input while too many intents are unanswered. Its
// connection and its session share it; used on the connection's loop.
#pragma once

#include "gateways/codec.hpp"
#include "gateways/net/stream_connection.hpp"
#include "hub/core/limits.hpp"
#include "hub/core/ports.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace gamehub::gateways::net {

class codec_connection final : public stream_protocol, public attachment {
 public:
  codec_connection(const loop_context&, accepted_stream, std::unique_ptr<codec>);
  ~codec_connection() override;

  // Requests a session and starts reading; closes with a reason if the hub accepts no player.
  // `unread` holds bytes that the previous protocol of the connection has already read.
  void start(std::string_view unread = {});

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return io_.account(); }
  void deliver(const event&) override;
  void close(close_reason why) override { close(close_cause{why}); }
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  void on_data(std::string_view) override;
  void on_sent() override;
  void on_timeout() override;
  bool on_slow_reader() override;
  void on_bans_changed() override;
  void on_close() override { session_.reset(); }
  bool wants_input() const override;

  // Submits decoded intents until a limit pauses the connection.
  void process_input();
  void submit_intents();
  void submit(intent&);
  void charge_message();
  // Counts refusals in a row, and slows the connection down if there are too many.
  void count_refusal(bool refused);
  bool is_slowed() const { return refusals_ > limits::refusals_in_row_max; }
  // Does not read before that time.
  void pause_until(base::instant);
  void close(const close_cause&);

  stream_connection io_;
  std::unique_ptr<codec> codec_;
  std::unique_ptr<session_handle> session_;
  attachment_id id_;
  std::uint32_t next_ticket_ = 0;
  std::uint16_t in_flight_ = 0;
  static_assert(limits::intents_in_flight_max <= 0xFFFF);
  std::uint16_t uncharged_ = 0;  // messages
  std::uint16_t refusals_ = 0;   // in a row
  bool paused_ = false;          // not read until the timer fires
  bool signing_in_ = false;      // no intent is read until the sign-in is answered
};
static_assert(sizeof(codec_connection) <= 216, "there is one for each idle client");

}  // namespace gamehub::gateways::net
