// The load of the HTTP protocol: players share a pool of connections for their requests and, with
// streams, each reads the updates of its game over a separate connection. The answers to `play`
// name the opponents, so every move is timed: from its request until the opponent reads it in its
// stream, or without streams until the answer. Owned by the bench, used on its thread.
#pragma once

#include "gateways/http_client/response_parser.hpp"
#include "tools/bench/any_load.hpp"
#include "tools/bench/board.hpp"
#include "tools/bench/http_text.hpp"
#include "tools/bench/stream_pool.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gamehub::tools::bench {

struct http_plan {
  int games = 64;
  int connections = 64;  // for requests
  int rate = 0;          // moves per second; 0: no limit
  bool streams = false;  // each player reads the updates
  bool idle = false;     // no moves
  bool blind = false;    // only the status of answers is checked
};

class http_load final : public any_load, private stream_pool::listener {
 public:
  http_load(connector&, const http_plan&);
  ~http_load() override;

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  // All players quit.
  void leave() override;
  std::size_t running() const override { return playing_; }

 private:
  using response_parser = gateways::http_client::response_parser;
  // A stream has any length.
  static constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
  static constexpr gateways::http_client::response_limits answer_limits{64 * 1024, no_limit,
                                                                        no_limit};

  enum class request : std::uint8_t { play, move, quit };
  struct pending_request {
    request what;
    std::uint32_t player;
  };
  // A connection for requests. It sends one request at a time, of any player.
  struct requester : channel {
    response_parser parser{answer_limits};
    bool busy = false;
    pending_request here{};
  };

  // The connection for the updates of one player, one game after the other.
  struct reader : channel {
    response_parser parser{answer_limits};
    bool asked = false;    // waits for the head of the answer
    bool reading = false;  // the answer has not ended
    bool shown = false;    // the first board was received
    bool over = false;     // the end of the game was received
    std::int64_t last = 0;
    board seen;
  };

  struct table {
    std::string game;
    std::array<std::uint32_t, 2> players{};  // X, then O
    board at;                                // with the move in flight
    clock::time_point since;                 // when the current wait began
    bool live = false;
    bool queued = false;    // the move waits for a connection, or for its time
    bool answered = false;  // the move in flight
    bool read = false;
    int shown = 0, closed = 0;  // streams
  };
  struct player {
    std::string id;
    table* at = nullptr;
    bool seated = false;  // only with plan.blind
  };

  void step();
  void send_requests();
  std::optional<pending_request> next_request();
  void ask(requester&, pending_request);
  void open_streams();
  void on_data(channel&, std::string_view bytes) override;
  void on_closed(channel&, std::string_view why) override;
  void on_answer(requester&, std::string_view bytes);
  void on_stream_data(reader&, std::string_view bytes);
  void on_response(requester&, int status, std::string_view body);
  void on_seated(std::uint32_t player, std::string_view body);
  void pair_up(std::string game, std::uint32_t one, std::uint32_t other, bool one_plays_x);
  void on_stream_begun(reader&);
  void on_lines(reader&);
  void on_update(reader&, std::string_view line);
  void on_move(reader&, const update_message&);
  void stream_ended(reader&);
  void begin(table&);
  void want_move(table&);
  void move_is_known(table&);
  void end(table&);
  void fail_game(table*, std::string_view why);

  const http_plan plan_;
  stream_pool sockets_;
  move_script scripts_;
  std::vector<player> players_;
  std::deque<requester> requesters_;
  std::vector<requester*> free_requesters_;
  std::deque<reader> readers_;  // one per player, if there are streams
  std::deque<table> tables_;
  std::vector<table*> free_tables_;
  std::unordered_map<std::string, std::uint32_t> waiting_;  // players without opponent, by game
  std::deque<pending_request> pending_;
  std::deque<table*> moves_wanted_;
  std::deque<std::uint32_t> streams_wanted_;
  std::size_t streams_unanswered_ = 0;
  std::size_t begun_ = 0;
  std::size_t playing_ = 0;
  clock::time_point next_move_at_;
  bool leaving_ = false;
};

}  // namespace gamehub::tools::bench
