#include "hub/app/loop_threads.hpp"

#include <pthread.h>

#include "hub/core/entropy.hpp"
#include "hub/core/limits.hpp"

namespace gamehub::app {

loop_threads::entry::entry(caf::actor_system& system, const journal::journal& log, int index,
                           std::size_t engines, std::size_t wires, id_source<attachment_id>& ids,
                           std::uint64_t salt)
    : cells(engines, wires),
      loop(system, index, cells),
      sockets(loop.io(), loop.timers(), cells, ids, salt) {
  loop.at_turn_end([this, &log] { sockets.end_turn(log.congested()); });
}

loop_threads::loop_threads(actors::runtime& r, const journal::journal& log, int count,
                           std::size_t engine_count, std::size_t wire_count) {
  system_entropy salt;
  for (int i = 0; i < count; ++i) {
    loops_.push_back(std::make_unique<entry>(r.system(), log, i, engine_count, wire_count,
                                             attachment_ids_, salt.next()));
    r.add_loop(loops_.back()->loop);
  }
}

loop_threads::~loop_threads() { stop(); }

void loop_threads::run() {
  for (auto& e : loops_) {
    e->thread = std::thread{[&l = e->loop] { l.run(); }};
    pthread_setname_np(e->thread.native_handle(),
                       ("loop-" + std::to_string(e->loop.index())).c_str());
  }
}

void loop_threads::stop() {
  for (auto& e : loops_) e->loop.stop();
  for (auto& e : loops_)
    if (e->thread.joinable()) e->thread.join();
}

std::vector<std::string> loop_threads::find_stuck() {
  std::vector<std::string> stuck;
  const auto now = std::chrono::steady_clock::now();
  for (auto& e : loops_) {
    const auto beat = e->cells.loop.beat.value();
    if (beat != e->seen_beat || e->cells.loop.waiting.value() != 0 || e->seen_at == instant{}) {
      e->seen_beat = beat;
      e->seen_at = now;
    } else if (now - e->seen_at >= limits::stuck_after) {
      const auto time = std::chrono::duration_cast<std::chrono::seconds>(now - e->seen_at);
      stuck.push_back("loop " + std::to_string(e->loop.index()) + " has been in one turn for " +
                      std::to_string(time.count()) + " s");
    }
  }
  return stuck;
}

}  // namespace gamehub::app
