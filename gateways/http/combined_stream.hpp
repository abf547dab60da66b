// The updates of several games over one connection: each line is that of the game's own stream, and
// names its game in a first member, `game`. It lives on its connection's loop and is shared by the
// connection and the outputs of its parts.
#pragma once

#include "gateways/http/stream_output.hpp"
#include "hub/core/ids.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

class loop_service;
class update_stream;
struct followed_game;

class combined_stream final : public attached_stream,
                              public std::enable_shared_from_this<combined_stream> {
 public:
  explicit combined_stream(std::shared_ptr<stream_output> to);
  ~combined_stream() override;

  // Sends the head, and returns the streams of these games, which the caller starts. `offers` as in
  // read_request. Called once. Requires: attached to the connection; there is a game.
  std::vector<std::shared_ptr<update_stream>> begin(loop_service&,
                                                    const std::vector<followed_game>&, bool offers);

  void stop() override;
  void on_timeout() override;
  void pause(bool) override;
  void on_shutdown() override;

 private:
  class part_output;

  // Sends a line of a game: its members without the opening brace.
  void send(game_id, std::string_view members);
  // Nothing more comes of this game. The stream ends after the last one.
  void end(game_id);

  std::shared_ptr<stream_output> output_;
  std::vector<std::shared_ptr<update_stream>> parts_;
};

}  // namespace gamehub::gateways::http
