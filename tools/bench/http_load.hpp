// The load of the HTTP wire: players that share a pool of connections for their requests and, if
// asked for, each read the updates of their game over a stream of their own. One thread. Who meets
// whom the answers to `play` tell, so every move is timed: from its request to the opponent reading
// of it in its stream, or without streams to the answer.
//
// Owned by the bench, used on its thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hub/app/bench/any_load.hpp"
#include "hub/app/bench/board.hpp"
#include "hub/app/bench/channels.hpp"
#include "hub/app/bench/http_words.hpp"

namespace gamehub::app::bench {

struct http_plan {
  int games = 64;
  int connections = 64;  // for requests
  int rate = 0;          // moves a second; 0: as many as it can
  bool streams = false;  // each player reads the updates
  bool idle = false;     // nobody moves
  bool blind = false;    // of an answer only its status counts
};

class http_load final : public any_load, private stream_pool::listener {
 public:
  http_load(connector&, const http_plan&);
  ~http_load() override;

  bool open(const stop_requested&) override;
  void play(clock::time_point until, const stop_requested&) override;
  void find_stalled(std::chrono::seconds) override;
  // All quit.
  void leave() override;
  std::size_t running() const override { return playing_; }

 private:
  enum class request : std::uint8_t { play, move, quit };
  struct wanted {
    request what;
    std::uint32_t player;
  };
  // Asks one thing after the other, for whoever wants something.
  struct requester : channel {
    bool busy = false;
    wanted here{};
  };

  // Reads one game after the other, of its player.
  struct reader : channel {
    bool asked = false;    // the answer has not begun
    bool reading = false;  // it has not ended
    bool shown = false;    // where the game begins
    bool over = false;     // that it has ended
    std::int64_t last = 0;
    board seen;
  };

  struct table {
    std::string game;
    std::array<std::uint32_t, 2> players{};  // X, then O
    board at;                                // with the move that is under way
    clock::time_point since;                 // of what it waits for
    bool live = false;
    bool queued = false;    // its move waits for a connection, or for its time
    bool answered = false;  // the move that is under way
    bool read = false;
    int shown = 0, closed = 0;  // streams
  };
  struct player {
    std::string id;
    table* at = nullptr;
    bool seated = false;  // where nobody looks at the answers
  };

  void step();
  void send_requests();
  std::optional<wanted> next_request();
  void ask(requester&, wanted);
  void open_streams();
  std::size_t hear(channel&, std::string_view bytes) override;
  void lost(channel&, std::string_view why) override;
  std::size_t hear_answer(requester&, std::string_view bytes);
  std::size_t hear_stream(reader&, std::string_view bytes);
  void answered(requester&, int status, std::string_view body);
  void on_seated(std::uint32_t player, std::string_view body);
  void pair_up(std::string game, std::uint32_t one, std::uint32_t other, bool one_plays_x);
  void hear_lines(reader&, std::string_view lines);
  void hear_update(reader&, std::string_view line);
  void hear_move(reader&, const update_message&);
  void stream_ended(reader&);
  void begin(table&);
  void want_move(table&);
  void move_is_known(table&);
  void end(table&);
  void give_up(table*, std::string_view why);

  const http_plan plan_;
  stream_pool sockets_;
  move_script scripts_;
  std::vector<player> players_;
  std::deque<requester> requesters_;
  std::vector<requester*> free_requesters_;
  std::deque<reader> readers_;  // one a player, if there are streams
  std::deque<table> tables_;
  std::vector<table*> free_tables_;
  std::unordered_map<std::string, std::uint32_t> waiting_;  // who sits alone, by game
  std::deque<wanted> wanted_;
  std::deque<table*> moves_wanted_;
  std::deque<std::uint32_t> streams_wanted_;
  std::size_t streams_unanswered_ = 0;
  std::size_t begun_ = 0;
  std::size_t playing_ = 0;
  clock::time_point next_move_at_;
  bool leaving_ = false;
};

}  // namespace gamehub::app::bench
