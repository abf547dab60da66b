// Supervises the process of one isolated engine: starts it, sends requests, kills it after a
// timeout or an invalid reply, or if it uses the processor while it is not called, and restarts it
// after a pause. Logs the output of the process.
// Restarts and output run on its own thread. ask() and end() from any thread; start_process() from
// a thread that lives as long as the process. Owned by isolated_engines; outlives the hub's actors.
#pragma once

#include "engines/process/process_engine.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/cores.hpp"
#include "hub/core/limits.hpp"
#include "hub/server/output_lines.hpp"
#include "hub/server/restart_backoff.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace gamehub::server {

// Counts the processes of engines that run or are to be restarted. Any thread.
class process_places {
 public:
  explicit process_places(std::size_t most) : most_(most) {}

  bool take() {
    if (taken_.fetch_add(1) < most_) return true;
    --taken_;
    return false;
  }
  void give_back() { --taken_; }
  std::size_t taken() const { return taken_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_{0};
};

struct supervisor_settings {
  std::string program = base::this_program;
  std::string engine;  // the argument of serve_engine()
  std::chrono::milliseconds call{1'000};
  base::child_limits limits;
  process_places* places = nullptr;  // null: no bound
  std::chrono::milliseconds cpu_window = limits::engine_cpu_window;
};

class process_supervisor final : public engines::process::channel {
 public:
  // Starts the process and waits for its description. Throws engine_failure if none arrives.
  explicit process_supervisor(supervisor_settings);
  ~process_supervisor() override;

  // Returns the description of the engine.
  const engines::process::description& described() const { return described_; }

  // Sets the callback for the end of a process. The supervisor's thread calls it before a restart;
  // it must not block or call an engine. After a call with an empty function neither it nor a
  // function of wake() is called.
  void at_end(std::function<void()> what);

  // Stops the process, which no match uses, and gives its place back. wake() and start_process()
  // start it again.
  void stop_unused();
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Returns the id of the present process, or of the last one.
  pid_t process_id() const { return process_id_.load(std::memory_order_relaxed); }
  // Returns how many times the process was restarted.
  std::uint64_t restarts() const { return restarts_.load(std::memory_order_relaxed); }

  // engines::process::channel.
  std::uint64_t life() const override { return life_.load(std::memory_order_acquire); }
  bool start_process() override;
  void wake(std::function<void()> then) override;
  std::string ask(std::uint64_t life, std::string_view request,
                  std::chrono::nanoseconds more) override;
  void end(std::uint64_t life, const std::string& why) override;

 private:
  using instant = std::chrono::steady_clock::time_point;

  // One process from its start to its end.
  struct process;

  // Require: the mutex is locked.
  void start();
  bool try_start();
  void give_place_back();
  void end_now(const std::string& why, const std::string& call = {});

  void start_first();
  void restart();
  void pause_then_start(instant::duration lived);
  void read_output(const std::shared_ptr<process>&);
  void take_output(process&, std::string_view bytes);
  void drain_output(process&);
  void watch_end(const std::shared_ptr<process>&);
  void watch_cpu();
  void log_output(const output_lines::batch&) const;
  void close();
  void end_thread();

  const supervisor_settings settings_;
  const int cores_ = base::cores();
  std::string name_;  // for the log
  engines::process::description described_;

  std::mutex mutex_;
  std::function<void()> at_end_;
  std::shared_ptr<process> process_;
  std::uint64_t lives_ = 0;
  bool has_place_ = false;
  // Of the present life: the processor time that its calls may have used; this and what it has used
  // at the latest check; and what it has used beside, less half of the time.
  std::chrono::nanoseconds called_{0}, called_before_{0}, cpu_before_{0}, beside_{0};
  std::atomic<std::uint64_t> life_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> restarts_{0};
  std::atomic<pid_t> process_id_{-1};

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_;
  boost::asio::steady_timer timer_, cpu_timer_;
  restart_backoff pause_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace gamehub::server
