// The loops of a hub with their threads, sockets' parts and cells. Made by the hub before the
// actors start and destroyed after the last of them is gone.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "actors/loop_asio.hpp"
#include "actors/runtime.hpp"
#include "gateways/net/loop_io.hpp"
#include "metrics/cells.hpp"

namespace gamehub::app {

class loop_threads {
 public:
  // Adds `count` loops for clients and their games to the runtime, and after them one for each
  // engine that runs in a process of its own. Nothing runs yet. While the journal has too much to
  // write, they read from nobody.
  loop_threads(actors::runtime&, const journal::journal&, int count, std::size_t isolated_count,
               std::size_t engine_count, std::size_t wire_count);
  // Stops the threads. Requires: no actor is left, and no connection.
  ~loop_threads();
  loop_threads(const loop_threads&) = delete;
  loop_threads& operator=(const loop_threads&) = delete;

  void run();
  void stop();

  // Those for clients; the others come after them.
  std::size_t count() const { return count_; }
  std::size_t all_count() const { return loops_.size(); }
  actors::loop_asio& at(std::size_t i) { return loops_[i]->loop; }
  gateways::net::loop_io& io(std::size_t i) { return loops_[i]->sockets; }
  const metrics::cells& cells(std::size_t i) const { return loops_[i]->cells; }

  // A sentence for each loop that has been in one turn for limits::stuck_after, or in one call if
  // the loop is there to wait for an engine, as far as the calls of this function can tell. Names
  // the engine that it is in. One thread at a time.
  std::vector<std::string> find_stuck(const actors::catalog&);

 private:
  struct entry {
    entry(caf::actor_system&, const journal::journal&, int index, std::size_t engines,
          std::size_t wires, id_source<attachment_id>&, std::uint64_t salt);

    metrics::cells cells;
    actors::loop_asio loop;
    gateways::net::loop_io sockets;
    std::thread thread;
    std::int64_t seen_beat = 0;  // or more: whatever moves
    instant seen_at{};
  };

  void add(actors::runtime&, const journal::journal&, std::size_t engine_count,
           std::size_t wire_count, std::uint64_t salt);

  std::size_t count_;
  id_source<attachment_id> attachment_ids_;
  std::vector<std::unique_ptr<entry>> loops_;
};

}  // namespace gamehub::app
