#include "gateways/ws/ws.hpp"

#include "gateways/ws/frames.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::ws {
namespace {

// The protocol inside the frames. Looked up at its first use, because protocols() is not complete
// while describe() runs.
const protocol_info& inner_protocol() {
  static const protocol_info& found = []() -> const protocol_info& {
    const auto all = protocols();
    return **std::find_if(all.begin(), all.end(), [](const auto* p) { return p->name == "turns"; });
  }();
  return found;
}

close_code code_of(close_reason why) {
  switch (why) {
    case close_reason::client_left:
    case close_reason::upgraded: return close_code::done;
    case close_reason::protocol_error: return close_code::policy;
    case close_reason::slow_reader:
    case close_reason::handshake_timeout:
    case close_reason::idle:
    case close_reason::replaced:
    case close_reason::banned:
    case close_reason::address_limit: return close_code::policy;
    case close_reason::hub_full: return close_code::try_later;
    case close_reason::draining: return close_code::going_away;
    case close_reason::failed: return close_code::failed;
  }
  return close_code::failed;
}

class frame_codec final : public codec {
 public:
  explicit frame_codec(std::unique_ptr<codec> inner) : inner_(std::move(inner)) {}

  void receive(std::string_view bytes) override { frames_.receive(bytes); }

  std::optional<decoded> next() override {
    for (;;) {
      if (in_message_) {
        if (auto input = inner_->next()) return ended(*std::move(input));
        inner_->compact();
        drop_message();
      }
      switch (frames_.next()) {
        case frame_reader::frame_result::nothing: return std::nullopt;
        case frame_reader::frame_result::text: begin_message(); break;
        case frame_reader::frame_result::ping: queue_pong(); break;
        case frame_reader::frame_result::close: stop(); return goodbye{};
        case frame_reader::frame_result::wrong: return fail(frames_.mistake());
      }
    }
  }

  void compact() override {
    // The inner codec holds a view of the message and copies the unread part.
    if (in_message_) inner_->compact();
    frames_.keep_rest();
  }

  std::size_t kept_bytes() const override {
    return frames_.kept_bytes() + inner_->kept_bytes() + pending_pong_.size();
  }

  void append_control_output(std::string& out) override {
    out += pending_pong_;
    std::string{}.swap(pending_pong_);
  }

  void send(const event& e, std::string& out) override {
    inner_->send(e, lines_);
    frame_lines(out);
  }

  void set_slowed(bool slowed) override { inner_->set_slowed(slowed); }

  void farewell(const close_cause& cause, std::string& out) override {
    inner_->farewell(cause, lines_);
    frame_lines(out);
    const auto left = cause.why == close_reason::client_left;
    append_close(mistake_.value_or(code_of(cause.why)), left ? "" : word_of(cause), out);
  }

 private:
  // A line feed within a message is white space of its JSON.
  void begin_message() {
    auto& message = frames_.payload();
    for (auto at = message.find('\n'); at != message.npos; at = message.find('\n', at))
      message[at] = ' ';
    message += '\n';
    inner_->receive(message);
    in_message_ = true;
  }

  // A pong for the latest ping is enough (RFC 6455, section 5.5.3).
  void queue_pong() {
    pending_pong_.clear();
    append_pong(frames_.payload(), pending_pong_);
  }

  decoded ended(decoded input) {
    if (!std::holds_alternative<intent>(input)) stop();
    return input;
  }

  decoded fail(close_code why) {
    mistake_ = why;
    stop();
    return why == close_code::too_long ? protocol_error::too_long : protocol_error::malformed;
  }

  void drop_message() {
    in_message_ = false;
    drop(frames_.payload());
  }

  // Keeps the memory of a short string for the next one.
  static void drop(std::string& what) {
    what.clear();
    if (what.capacity() > small_bytes) std::string{}.swap(what);
  }

  void stop() {
    drop_message();
    std::string{}.swap(pending_pong_);
    frames_.stop();
  }

  void frame_lines(std::string& out) {
    for (std::string_view rest = lines_; !rest.empty();) {
      const auto end = rest.find('\n');
      append_text(rest.substr(0, end), out);
      rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
    }
    drop(lines_);
  }

  static constexpr std::size_t small_bytes = 1024;

  frame_reader frames_;
  std::unique_ptr<codec> inner_;
  std::string lines_;         // output of the inner codec
  std::string pending_pong_;  // the reply to the latest ping
  std::optional<close_code> mistake_;
  bool in_message_ = false;
};

std::unique_ptr<codec> make_codec(const engine_traits& engine) {
  return std::make_unique<frame_codec>(inner_protocol().make_codec(engine));
}

std::optional<std::string> unsupported_reason(const engine_traits& engine) {
  return inner_protocol().unsupported_reason(engine);
}

}  // namespace

protocol_info describe() {
  protocol_info out;
  out.name = "ws";
  out.summary = "JSON turns over a WebSocket (gateways/ws/README.md)";
  out.rank = 50;
  out.crossing = hub_crossing::sessions;
  out.port_owner = "http";
  out.form = view_form::document;
  out.make_codec = make_codec;
  out.unsupported_reason = unsupported_reason;
  return out;
}

}  // namespace gamehub::gateways::ws
