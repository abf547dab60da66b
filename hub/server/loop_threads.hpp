// The loops of a hub with their threads, socket parts and metric cells. Owned by the composition:
// made before the actors start, destroyed after the last actor has ended.
#pragma once

#include "actors/runtime/loop_asio.hpp"
#include "actors/system/runtime.hpp"
#include "gateways/net/loop_io.hpp"
#include "metrics/cells.hpp"

#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace gamehub::server {

class loop_threads {
 public:
  // Adds `count` loops for clients and their games to the runtime, then one loop for each isolated
  // engine. No thread runs yet. While the journal is congested, the loops read from no client.
  loop_threads(actors::system::runtime&, const journal::journal&, int count,
               std::size_t isolated_count, std::size_t engine_count, std::size_t wire_count);
  // Stops the threads. Requires: no actor and no connection is left.
  ~loop_threads();
  loop_threads(const loop_threads&) = delete;
  loop_threads& operator=(const loop_threads&) = delete;

  // Start and stop the threads.
  void run();
  void stop();

  // The loops for clients have the first numbers; those of isolated engines follow.
  std::size_t count() const { return count_; }
  std::size_t all_count() const { return loops_.size(); }
  actors::runtime::loop_asio& at(std::size_t i) { return loops_[i]->loop; }
  gateways::net::loop_io& io(std::size_t i) { return loops_[i]->sockets; }
  const metrics::cells& cells(std::size_t i) const { return loops_[i]->cells; }

  // Returns a sentence for each loop that is in one iteration (a loop of an isolated engine: in one
  // call) since limits::stuck_after, as far as the calls of this function can detect it. The
  // sentence names the engine that is called. One thread at a time.
  std::vector<std::string> find_stuck(const actors::table::engine_directory&);

 private:
  struct entry {
    entry(caf::actor_system&, const journal::journal&, int index, std::size_t engines,
          std::size_t wires, id_source<attachment_id>&, std::uint64_t salt);

    metrics::cells cells;
    actors::runtime::loop_asio loop;
    gateways::net::loop_io sockets;
    std::thread thread;
    std::int64_t seen_beat = 0;  // the sum of the counters that show progress
    base::instant seen_at{};
  };

  void add(actors::system::runtime&, const journal::journal&, std::size_t engine_count,
           std::size_t wire_count, std::uint64_t salt);

  std::size_t count_;
  id_source<attachment_id> attachment_ids_;
  std::vector<std::unique_ptr<entry>> loops_;
};

}  // namespace gamehub::server
