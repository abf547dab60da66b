// A loop on a thread and real time: an asio::io_context whose handlers and a run queue of actors
// take turns. This is the one place where Asio and CAF meet.
//
// Made and destroyed by hub/app; run() is the thread's whole life, stop() may come from any thread.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>

#include "actors/loop.hpp"

namespace gamehub::actors {

class loop_asio final : public loop {
 public:
  loop_asio(caf::actor_system&, int index, metrics::cells&);

  boost::asio::io_context& io() { return io_; }
  wall_time wall_now() const override;
  instant clock() const override { return std::chrono::steady_clock::now(); }

  // Runs turns on the calling thread until stop(). What is queued by then still runs.
  void run();
  void stop();

 private:
  void wake() override;
  void wait(bool busy);

  boost::asio::io_context io_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gamehub::actors
