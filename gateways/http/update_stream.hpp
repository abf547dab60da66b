// One who reads a game's updates, by a stream or a poll: watches the game from where the reader
// stands and writes to its connection, in the reader's way. A player is there while it reads; who
// is none is a guest. Lives on its connection's loop, shared by the connection and the gallery.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateways/http/stream_position.hpp"
#include "gateways/http/updates.hpp"
#include "hub/core/gallery.hpp"

namespace gamehub::gateways::http::server {

class client;
class connection;
class service;

class update_stream final : public watcher, public std::enable_shared_from_this<update_stream> {
 public:
  // Errors wait for the pause.
  update_stream(service&, const std::shared_ptr<connection>&, game_id, const read_request&,
                limits::seconds error_pause);
  ~update_stream() override;

  service& at() const { return service_; }
  game_id game() const { return game_; }

  // Begins to watch. Requires: the connection waits for it.
  void start();
  // Its connection has gone, or wants no more of it.
  void stop();

  // It is a player's own: the client counts it already. Null: it is a guest's, who sees no game
  // that is closed to all but invited players.
  void set_player(std::shared_ptr<client> as);
  // A guest comes or goes.
  void hear(update);

  // A poll has waited long enough; a stream was quiet for too long.
  void time_is_up();
  // The connection can't take more for now, or can again.
  void hold(bool);
  // The hub goes down: who waits for what may never come is through.
  void on_shutdown();

  void found(const game_progress&) override;
  void tell(const update_ref&) override;
  void ended() override;
  void unknown() override;

 private:
  enum class state : std::uint8_t { asking, polling, streaming, through };

  void answer(int status, std::string body);
  void fail(const error&);
  void fail_unknown();
  void finish();
  void write(std::uint64_t number, std::string_view json);
  void list_guest();

  service& service_;
  std::shared_ptr<connection> connection_;
  game_id game_;
  read_request request_;
  limits::seconds error_pause_;
  std::unique_ptr<watching> watch_;
  std::shared_ptr<client> player_;
  std::string guest_;                 // the name under which it is listed
  std::vector<std::string> players_;  // of the game
  std::uint64_t told_ = 0;            // the number of the latest update
  // Of a closed game, until it is known whose reader it is.
  std::optional<game_progress> undecided_;
  state state_ = state::asking;
  bool found_ = false;
  bool waits_ = false;  // nobody has come to the table yet
  bool is_guest_ = false;
  bool player_known_ = false;
};

// Tells a reader on its own loop. From any loop.
void set_player(const service& here, const std::shared_ptr<update_stream>&, std::shared_ptr<client> as);

}  // namespace gamehub::gateways::http::server
