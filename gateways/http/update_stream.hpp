// One reader of a game's updates, by a stream or a long poll: watches the game from the requested
// position and writes to its connection. A player counts as present while it reads; any other
// reader is a guest. It lives on its connection's loop, shared by the connection and the spectator
// service.
#pragma once

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
class connection;
class loop_service;

class update_stream final : public watcher, public std::enable_shared_from_this<update_stream> {
 public:
  // Error responses are delayed by `error_pause`.
  update_stream(loop_service&, const std::shared_ptr<connection>&, game_id, const read_request&,
                limits::seconds error_pause);
  ~update_stream() override;

  // Return the loop's service, and the game.
  loop_service& service() const { return service_; }
  game_id game() const { return game_; }

  // Starts watching. Requires: attached to the connection.
  void start();
  // Stops watching. Called when the connection is closed or needs no more updates.
  void stop();

  // Sets the player that reads; its player has counted the stream already. Null: the reader is a
  // guest, who cannot see a private game.
  void set_player(std::shared_ptr<http_player> as);
  // A guest has arrived or left, or an operator sends a message.
  void on_guest_change(game_update);

  // Poll timeout, or keep-alive interval of a stream.
  void on_timeout();
  // Pauses or resumes the updates, when the connection's outbox is full or empty.
  void pause(bool);
  // The hub is stopping: a poll ends, and so does a stream of a game that has not started.
  void on_shutdown();

  void on_found(const game_progress&) override;
  void on_update(const update_ref&) override;
  void on_end() override;
  void on_unavailable() override;

 private:
  enum class state : std::uint8_t { asking, polling, streaming, done };

  void answer(int status, std::string body);
  void fail(const error&);
  void fail_unknown();
  void finish();
  bool reads_events() const { return request_.how == read_plan::events; }
  void list_guest();

  loop_service& service_;
  std::shared_ptr<connection> connection_;
  game_id game_;
  read_request request_;
  limits::seconds error_pause_;
  std::unique_ptr<watch_handle> watch_;
  std::shared_ptr<http_player> player_;
  std::string guest_;                 // its name in the list of guests
  std::vector<std::string> players_;  // the players of the game
  std::uint64_t last_number_ = 0;     // number of the latest update that was sent
  // The progress of a private game, kept until set_player() decides whether the reader may see it.
  std::optional<game_progress> undecided_;
  state state_ = state::asking;
  bool found_ = false;
  bool waits_ = false;  // the game has not started
  bool is_guest_ = false;
  bool player_known_ = false;
};

// Calls update_stream::set_player() on the stream's loop. Any loop.
void set_player(const loop_service& here, const std::shared_ptr<update_stream>&,
                std::shared_ptr<http_player> as);

}  // namespace gamehub::gateways::http
