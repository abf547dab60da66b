// An HTTP client's player: it represents the client in the hub between its requests, which may
// arrive on any connection, until it has been idle for too long. It lives on the loop of its first
// request; its session and the client_table share it.
#pragma once

#include "gateways/http/chat_history.hpp"
#include "gateways/http/client_game_state.hpp"
#include "gateways/http/client_id.hpp"
#include "gateways/http/client_request.hpp"
#include "gateways/http/request_relay.hpp"
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
  // Returns the game that a request names; zero: none.
  static game_id game_of(const client_request&);

  // Handles a request, or queues it while the sign-in is pending.
  void on_request(client_request&&);

  // The hub is full: ends the session. Requires: the player is unused.
  void make_room() { close(close_reason::idle); }

  // One of its streams or long polls has ended. The player counts as present while one is open.
  // `offers`: it was one that has offers.
  void on_stream_closed(bool offers);

  attachment_id id() const override { return id_; }
  address_account_ref account() const override { return account_; }
  bool comes_to_its_player() const override { return comes_to_its_player_; }
  void deliver(const event&) override;
  void close(close_reason) override;
  void set_session(std::unique_ptr<session_handle>) override;

 private:
  enum class state : std::uint8_t { outside, entering, here, closed };

  static constexpr client_features features{.answers_offers = true, .asks_for_games = true};

  struct pending {
    ticket number = 0;
    client_request what;
    bool finds_seat = false;  // it is carried out after the answer
  };

  // A seek in progress, for all requests that ask for a seat meanwhile.
  struct seek_operation {
    // beginning: the game is about to begin. leaving: the seat is certain, and the last game is
    // left. removing: the seek was refused, and the player that it was made for is removed.
    enum class step : std::uint8_t { seeking, beginning, leaving, removing };

    step at = step::seeking;
    ticket number = 0;
    std::optional<client_game_state> old;  // the running game that the new seat replaces
    std::vector<client_request> requests;
    std::vector<client_request> later;  // that ask for a certain other seat
    bool keeps = false;                 // the running game goes on beside the new one
    error why;                          // of the refusal
  };

  // Tells the service whether the player is unused: it neither plays nor waits, and has no stream.
  void note_use();
  void run(client_request&);
  // Has the hub show the game that the request names, or tell of all, if they may be asleep.
  // Returns false if the request can be carried out.
  bool find_seat(client_request&);
  // The answer has come: carries the request out. If it names no game, the event has those that are
  // asleep.
  void carry_out_found(client_request&, const event&);
  // Returns the game that has to wake for such a request; zero: none has to.
  game_id only_asleep(const client_request&) const;
  void connect(const client_request&);
  void play(client_request&);
  void rematch(client_request&);
  void decline(client_request&);
  void make_offer(client_request&);
  void make_move(client_request&);
  void quit(client_request&);
  void rename(client_request&);
  void show_invitation(const client_request&);
  void read_updates(const client_request&);
  void show_game(const client_request&);
  void show_replay(const client_request&);
  void list_games(const client_request&);
  std::vector<const client_game_state*> running_games() const;
  // Names the only running game in a request that names none, if it is not known which game is the
  // latest one. Returns the error if several run.
  std::optional<error> name_game(client_request&) const;
  // Returns the game that the request names, or the latest one.
  client_game_state& named(const client_request&);
  // Returns the state of the game of an event; the latest one if no other has that id.
  client_game_state& state_for(game_id);
  // Makes the game that the request names the latest one, if that is no seat that waits.
  void choose(const client_request&);
  void keep_beside(client_game_state);
  // Returns the client's state of a game; null unless it is its latest game, or the one whose
  // rematch it waits for.
  const client_game_state* state_of(game_id) const;
  std::optional<seat_index> seat_in(game_id) const;

  void on_event(const event&);
  void on_placed(const event&, const placed&);
  void on_offer(const event&, const offer_update&);
  // The player has no seat any more; its ended game is its latest one again.
  void leave_waiting();
  // The client reads no offers any more: declines and withdraws them.
  void leave_offers();
  void on_reply(const event&);
  void on_signed_in(const event&);
  void on_refused(const refused&);

  void refuse_play(client_request&, const error&);
  void seek_seat(client_request&, intent);
  void continue_seek(const event&);
  void leave_old_game();
  void on_seated();
  void on_not_seated(const error&);

  void submit(client_request&, intent, bool finds_seat = false);
  ticket submit(intent, base::instant received);
  void complete_request(client_request&, const event&);
  void run_queued_requests();
  // Answers a request for a seat; in a running game with its clock.
  void answer_seat(client_request&&);
  void send_seat(const client_request&, const game_clock&);
  // Tells the session whether the client reads its updates. One that never did counts as present.
  void report_presence();
  void send(const client_request&, response&&);
  void send(const client_request&, const error&);
  void leave(const error&);
  void leave_for(member_id home);
  bool plays() const;
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
  client_game_state game_;                 // the latest one
  std::vector<client_game_state> others_;  // that go on beside it, and some that have ended
  // Several games were shown when the player came back, in no certain order: none is the latest.
  bool shown_unordered_ = false;
  std::uint32_t games_expected_ = 0;          // that the hub is to show after the sign-in
  std::unique_ptr<client_game_state> ended_;  // the game whose rematch the player waits for
  chat_history chat_;
  std::vector<pending> pending_;
  std::vector<client_request> queued_requests_;  // received during the sign-in
  std::unique_ptr<seek_operation> seek_;
  game_id given_up_;     // the latest waiting game that another seat has replaced
  bool partly_ = false;  // the client may have games that are asleep and were not shown
  // Those of them, while a request is carried out that names none.
  std::vector<client_game_state> asleep_;
  bool comes_to_its_player_ = false;
  bool made_by_play_ = false;  // and without use since: removed if the play is refused
  ticket last_ticket_ = 0;
  ticket entering_ = 0;
  std::uint32_t open_streams_ = 0;
  std::uint32_t offer_streams_ = 0;  // those of them that have offers
  bool reads_offers_ = false;        // it had such a stream
  base::timers::token offers_timer_;
  bool has_streamed_ = false;  // its updates were read in the current game
  state state_ = state::outside;
  // What the session knows: none: the client is there.
  std::optional<base::instant> reported_kept_until_;
  base::instant last_active_{};  // latest request, end of a stream, or end of its game
  base::timers::token timer_;
};

}  // namespace gamehub::gateways::http
