// One reader of a game's updates, by a stream or a long poll: watches the game from the requested
// position and writes to its output. A player counts as present while it reads; any other
// reader is a guest. It lives on its connection's loop, shared by the connection and the spectator
// service.
#pragma once

#include "gateways/http/stream_output.hpp"
#include "gateways/http/stream_position.hpp"
#include "gateways/http/updates.hpp"
#include "hub/core/spectator_service.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gamehub::gateways::http {

class http_player;
class loop_service;

class update_stream final : public watcher,
                            public attached_stream,
                            public std::enable_shared_from_this<update_stream> {
 public:
  // Error responses are delayed by `error_pause`.
  update_stream(loop_service&, std::shared_ptr<stream_output>, game_id, const read_request&,
                limits::seconds error_pause);
  ~update_stream() override;

  // Return the loop's service, and the game.
  loop_service& service() const { return service_; }
  game_id game() const { return game_; }
  bool wants_offers() const { return request_.offers; }
  bool wants_notices() const { return request_.notices; }

  // A guest watches the game at this other hub. Called before start().
  void watch_at(std::uint64_t hub) { hub_ = hub; }

  // Starts watching as the player of that seat, which has counted the stream already, or as a
  // guest, who cannot see a private game: then both are missing. Requires: attached to the
  // connection.
  // `offers` are those that stand.
  void start(std::shared_ptr<http_player> as, std::optional<seat_index> seat,
             std::vector<offer_update> offers = {});
  void stop() override;

  // A guest has arrived or left, or an operator sends a message.
  void on_guest_change(game_update);

  void on_players(const std::shared_ptr<const game_metadata>&) override;
  // The player hears of an offer; none: of no offer any more, because it has another seat.
  void on_offer(const http_player& to, const std::optional<offer_update>&);

  void on_timeout() override;
  void pause(bool) override;
  void on_shutdown() override;

  void on_found(const game_progress&) override;
  void on_update(const update_ref& u) override { send_update(u, nullptr); }
  void on_latest_update(const update_ref& u, const present_ref& p) override { send_update(u, p); }
  void on_present(const present_ref&, const position_ref&) override;
  void on_end() override;
  void on_unavailable() override;

 private:
  // What the reader of a stream knows of the present state of the game.
  struct known_present {
    game_clock clock;
    std::vector<absence> away;
    std::shared_ptr<const std::vector<legal_action>> actions;
    bool stated = false;   // a `state` was sent
    bool current = false;  // the line of the latest position had the actions
  };
  enum class state : std::uint8_t { asking, polling, streaming, done };

  void answer(int status, std::string body);
  void fail(const error&);
  void fail_unknown();
  void finish();
  bool reads_events() const { return request_.how == read_plan::events; }
  void list_guest();
  void send_update(const update_ref&, const present_ref&);
  // Sends a line that has the number of the last update.
  void send_live(const std::string& line);
  // The game has ended: what follows are offers.
  void begin_offers();
  void send_offer(const offer_update&);
  void send_absences(const std::vector<absence>& now_away, const live_stamp&);

  loop_service& service_;
  std::shared_ptr<stream_output> output_;
  game_id game_;
  read_request request_;
  limits::seconds error_pause_;
  std::optional<std::uint64_t> hub_;  // that has the game; none: this one
  std::unique_ptr<watch_handle> watch_;
  std::shared_ptr<http_player> player_;
  std::optional<seat_index> seat_;              // of the player
  std::string guest_;                           // its name in the list of guests
  std::shared_ptr<const game_metadata> about_;  // null: not known yet
  std::uint64_t last_number_ = 0;               // number of the latest update that was sent
  known_present known_;
  std::vector<offer_update> offers_;           // to be sent after the end of the game
  std::optional<base::instant> offers_until_;  // the game has ended, and offers are sent
  bool offers_over_ = false;                   // none will follow
  state state_ = state::asking;
  bool found_ = false;
  bool waits_ = false;            // the game has not started
  bool waits_after_end_ = false;  // a poll that has all updates of an ended game
};

// Calls update_stream::start() on the stream's loop. Any loop.
void start_stream(const loop_service& here, const std::shared_ptr<update_stream>&,
                  std::shared_ptr<http_player> as, std::optional<seat_index> seat,
                  std::vector<offer_update> offers = {});

}  // namespace gamehub::gateways::http
