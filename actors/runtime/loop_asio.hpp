// A loop on a thread and real time: each iteration runs the handlers of an asio::io_context and
// then the run queue of actors. Only this file uses both Asio and CAF.
//
// hub/server creates and destroys it. run() is the main function of the thread; any thread may call
// stop().
#pragma once

#include "actors/runtime/loop.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <cstddef>
#include <optional>

namespace gamehub::actors::runtime {

class loop_asio final : public loop {
 public:
  loop_asio(caf::actor_system&, int index, metrics::cells&);

  boost::asio::io_context& io() { return io_; }
  base::wall_time wall_now() const override;
  base::instant clock() const override { return std::chrono::steady_clock::now(); }

  // Runs iterations on the calling thread until stop(). Work that is queued by then still runs.
  void run();
  void stop();

 private:
  void wake() override;
  // Returns until when it waited at most; max(): without a limit.
  base::instant wait(bool busy, base::instant now);
  std::size_t poll_one();
  // Runs parts of long work. Returns false if there were none.
  bool run_parts();

  boost::asio::io_context io_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gamehub::actors::runtime
