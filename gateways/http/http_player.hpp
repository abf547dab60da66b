// A player that comes by requests: it stands for its client in the hub between them, from the
// first to some time after the last, whichever connections they come by. Lives on the loop of its
// first request; its session and the directory share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateways/http/chat.hpp"
#include "gateways/http/client_id.hpp"
#include "gateways/http/server/ask.hpp"
#include "gateways/http/server/place.hpp"
#include "hub/core/ports.hpp"
#include "hub/core/timers.hpp"

namespace gamehub::gateways::http::server {

class client final : public attachment, public std::enable_shared_from_this<client> {
 public:
  client(service& home, const client_key&);
  ~client() override;

  service& home() const { return home_; }

  // Comes into the hub; what is asked meanwhile waits.
  void enter(sign_in);

  void take(ask);

  // A stream or poll of its own, which was told so, has come to its end: it is there as long as one
  // is open.
  void on_stream_closed();

  attachment_id id() const override { return id_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  enum class state : std::uint8_t { outside, entering, here, gone };

  struct pending {
    ticket number = 0;
    ask what;
  };

  // On the way to a place at a table, for all that ask for one meanwhile.
  struct seek_operation {
    enum class step : std::uint8_t { leaving, seeking, beginning };

    step at = step::seeking;
    ticket number = 0;
    intent next;  // once it has left its last game
    std::vector<ask> asks;
  };

  void carry_out(ask&);
  void connect(const ask&);
  void play(ask&);
  void rematch(ask&);
  void make_move(ask&);
  void quit(ask&);
  void read_updates(const ask&);
  void show_game(const ask&);
  void show_replay(const ask&);

  void learn(const event&);
  void hear_answer(const event&);
  void hear_who_it_is(const event&);
  void come_to_nothing(const refused&);

  void seek_seat(ask&, intent);
  void take_next_step(const event&);
  void seated();
  void not_seated(const error&);

  void submit(ask&, intent);
  ticket submit(intent, instant received);
  void settle(ask&, const event&);
  void entered_if_shown();
  void answer_seat(const ask&);
  void send(const ask&, response&&);
  void send(const ask&, const error&);
  void leave(const error&);
  instant deadline() const;
  void arm_timer();

  service& home_;
  client_key key_;
  attachment_id id_;
  std::unique_ptr<session_handle> door_;
  std::string name_;
  server::place place_;
  chat_history chatter_;
  std::vector<pending> pending_;
  std::vector<ask> waiting_;  // while it enters
  std::unique_ptr<seek_operation> seek_;
  ticket last_ticket_ = 0;
  ticket entering_ = 0;
  std::uint32_t readers_ = 0;
  bool has_read_ = false;  // in its present game
  state state_ = state::outside;
  instant seen_{};
  timers::token clock_;
};

}  // namespace gamehub::gateways::http::server
