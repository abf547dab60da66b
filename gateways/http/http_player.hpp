// An HTTP client's player: it represents the client in the hub between its requests, which may
// arrive on any connection, until it has been idle for too long. It lives on the loop of its first
// request; its session and the client_table share it.
#pragma once

#include "gateways/http/chat_history.hpp"
#include "gateways/http/client_game_state.hpp"
#include "gateways/http/client_id.hpp"
#include "gateways/http/client_request.hpp"
#include "hub/base/timers.hpp"
#include "hub/core/ports.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::gateways::http {

class http_player final : public attachment, public std::enable_shared_from_this<http_player> {
 public:
  http_player(loop_service& service, const client_key&, address_account_ref);
  ~http_player() override;

  // Returns the service of its loop.
  loop_service& service() const { return service_; }

  // Signs in to the hub. Requests that arrive before the reply are queued.
  void enter(sign_in);

  // Handles a request, or queues it while the sign-in is pending.
  void on_request(client_request);

  // The hub is full: ends the session. Requires: the player is unused.
  void make_room() { close(close_reason::idle); }

  // One of its streams or long polls has ended. The player counts as present while one is open.
  void on_stream_closed();

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return account_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  enum class state : std::uint8_t { outside, entering, here, closed };

  struct pending {
    ticket number = 0;
    client_request what;
  };

  // A seek in progress, for all requests that ask for a seat meanwhile.
  struct seek_operation {
    enum class step : std::uint8_t { leaving, seeking, beginning };

    step at = step::seeking;
    ticket number = 0;
    intent next;  // sent after the last game is left
    std::vector<client_request> requests;
  };

  // Tells the service whether the player is unused: it neither plays nor waits, and has no stream.
  void note_use();
  void run(client_request&);
  void connect(const client_request&);
  void play(client_request&);
  void rematch(client_request&);
  void make_move(client_request&);
  void quit(client_request&);
  void read_updates(const client_request&);
  void show_game(const client_request&);
  void show_replay(const client_request&);

  void on_event(const event&);
  void on_reply(const event&);
  void on_signed_in(const event&);
  void on_refused(const refused&);

  void seek_seat(client_request&, intent);
  void continue_seek(const event&);
  void on_seated();
  void on_not_seated(const error&);

  void submit(client_request&, intent);
  ticket submit(intent, base::instant received);
  void complete_request(client_request&, const event&);
  void run_queued_requests();
  void answer_seat(const client_request&);
  void send(const client_request&, response&&);
  void send(const client_request&, const error&);
  void leave(const error&);
  bool plays() const { return game_.is() == client_game_state::status::running; }
  base::instant deadline() const;
  void arm_timer();

  loop_service& service_;
  client_key key_;
  const address_account_ref account_;
  std::optional<std::list<http_player*>::iterator> unused_;  // of the service's list
  friend class loop_service;
  attachment_id id_;
  std::unique_ptr<session_handle> session_;
  std::string name_;
  client_game_state game_;
  chat_history chat_;
  std::vector<pending> pending_;
  std::vector<client_request> queued_requests_;  // received during the sign-in
  std::unique_ptr<seek_operation> seek_;
  ticket last_ticket_ = 0;
  ticket entering_ = 0;
  std::uint32_t open_streams_ = 0;
  bool has_streamed_ = false;  // its updates were read in the current game
  state state_ = state::outside;
  base::instant last_active_{};  // latest request, end of a stream, or end of its game
  base::timers::token timer_;
};

}  // namespace gamehub::gateways::http
