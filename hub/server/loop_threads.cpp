#include "hub/server/loop_threads.hpp"

#include "hub/base/crash_log.hpp"
#include "hub/base/random.hpp"
#include "hub/core/limits.hpp"

#include <pthread.h>
#include <utility>

namespace gamehub::server {

loop_threads::entry::entry(caf::actor_system& system, const journal::journal& log, int index,
                           std::size_t engines, std::size_t wires, id_source<attachment_id>& ids,
                           std::uint64_t salt)
    : cells(engines, wires),
      loop(system, index, cells),
      sockets(loop.io(), loop.timers(), cells, ids, salt) {
  loop.at_turn_end([this, &log] { sockets.end_turn(log.congested()); });
  sockets.defer_parts_to([this](auto what) { loop.defer_part(std::move(what)); });
}

loop_threads::loop_threads(actors::system::runtime& r, const journal::journal& log, int count,
                           std::size_t isolated_count, std::size_t engine_count,
                           std::size_t wire_count)
    : count_(static_cast<std::size_t>(count)) {
  base::system_entropy salt;
  while (loops_.size() < count_ + isolated_count)
    add(r, log, engine_count, wire_count, salt.next());
}

void loop_threads::add(actors::system::runtime& r, const journal::journal& log,
                       std::size_t engine_count, std::size_t wire_count, std::uint64_t salt) {
  const auto index = static_cast<int>(loops_.size());
  loops_.push_back(std::make_unique<entry>(r.system(), log, index, engine_count, wire_count,
                                           attachment_ids_, salt));
  auto& added = loops_.back()->loop;
  loops_.size() > count_ ? r.add_engine_loop(added) : r.add_loop(added);
}

loop_threads::~loop_threads() { stop(); }

void loop_threads::run() {
  for (auto& e : loops_) {
    e->thread = std::thread{[&l = e->loop] {
      const base::crash_log::signal_stack stack;
      l.run();
    }};
    pthread_setname_np(e->thread.native_handle(),
                       ("loop-" + std::to_string(e->loop.index())).c_str());
  }
}

void loop_threads::stop() {
  for (auto& e : loops_) e->loop.stop();
  for (auto& e : loops_)
    if (e->thread.joinable()) e->thread.join();
}

std::vector<std::string> loop_threads::find_stuck(
    const actors::table::engine_directory& directory) {
  std::vector<std::string> stuck;
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    auto& e = *loops_[i];
    const auto& cells = e.cells.loop;
    // The loop of an isolated engine may make many slow calls in one iteration.
    const auto beat = cells.beat.value() + (i < count_ ? 0 : cells.engine_calls.value());
    if (beat != e.seen_beat || cells.waiting.value() != 0 || e.seen_at == base::instant{}) {
      e.seen_beat = beat;
      e.seen_at = now;
    } else if (now - e.seen_at >= limits::stuck_after) {
      const auto time = std::chrono::duration_cast<std::chrono::seconds>(now - e.seen_at);
      auto words = "loop " + std::to_string(i) + " has been in one turn for " +
                   std::to_string(time.count()) + " s";
      if (const auto inside = cells.engine_inside.value(); inside != 0) {
        const auto& rules = directory.engines[static_cast<std::size_t>(inside - 1)].rules;
        words += ", now in engine " + std::string{rules.id()} + " " + rules.version_text();
      }
      stuck.push_back(std::move(words));
    }
  }
  return stuck;
}

}  // namespace gamehub::server
