// The updates of several games over one connection: each line is that of the game's own stream, and
// names its game in a first member, `game`. If the client asks for notices, a line `notice` has
// what an operator says to all, instead of a line in each game, and the stream ends only with the
// hub. It lives on its connection's loop and is shared by the connection and the outputs of its
// parts.
#pragma once

#include "gateways/http/stream_output.hpp"
#include "hub/core/ids.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::gateways::http {

class loop_service;
class update_stream;
struct follow_request;

class combined_stream final : public attached_stream,
                              public std::enable_shared_from_this<combined_stream> {
 public:
  explicit combined_stream(std::shared_ptr<stream_output> to);
  ~combined_stream() override;

  // Sends the head, and returns the streams of the games, which the caller starts. Called once.
  // Requires: attached to the connection.
  std::vector<std::shared_ptr<update_stream>> begin(loop_service&, const follow_request&);

  // Another hub has the stream of this game, and sends lines that name it: they go to the returned
  // output. `by` takes the place of the game's own stream.
  std::shared_ptr<stream_output> output_of_other_hub(game_id);
  void replace(game_id, std::shared_ptr<attached_stream> by);

  // Sends the line of a notice.
  void on_notice(const std::string& line);

  void stop() override;
  void on_timeout() override;
  void pause(bool) override;
  void on_shutdown() override;

 private:
  class game_output;
  class part_output;
  class other_hub_output;
  struct part {
    game_id game;
    std::shared_ptr<attached_stream> what;
  };

  // Sends a line of a game: its members without the opening brace.
  void send(game_id, std::string_view members);
  // Nothing more comes of this game. The stream ends after the last one, unless notices follow.
  // `told`: the last line said so.
  void end(game_id, bool told = false);
  // The client has to ask again.
  void break_off();
  bool is_over() const;

  std::shared_ptr<stream_output> output_;
  std::vector<part> parts_;
  loop_service* listens_at_ = nullptr;  // where it is registered for notices
};

}  // namespace gamehub::gateways::http
