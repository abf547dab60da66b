// Supervises the process of one isolated engine: starts it, sends requests, kills it after a
// timeout or an invalid reply, and restarts it after a pause. Logs the output of the process.
// Restarts and output run on its own thread. ask() and end() from any thread; start_process() from
// a thread that lives as long as the process. Owned by isolated_engines; outlives the hub's actors.
#pragma once

#include "engines/process/process_engine.hpp"
#include "hub/base/child_process.hpp"
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

struct supervisor_settings {
  std::string program = base::this_program;
  std::string engine;  // the argument of serve_engine()
  std::chrono::milliseconds call{1'000};
  base::child_limits limits;
};

class process_supervisor final : public engines::process::channel {
 public:
  // Starts the process and waits for its description. Throws engine_failure if none arrives.
  explicit process_supervisor(supervisor_settings);
  ~process_supervisor() override;

  // Returns the description of the engine.
  const engines::process::description& described() const { return described_; }

  // Sets the callback for the end of a process. The supervisor's thread calls it before a restart;
  // it must not block or call an engine.
  void at_end(std::function<void()> what);

  // Returns the id of the present process, or of the last one.
  pid_t process_id() const { return process_id_.load(std::memory_order_relaxed); }
  // Returns how many times the process was restarted.
  std::uint64_t restarts() const { return restarts_.load(std::memory_order_relaxed); }

  // engines::process::channel.
  std::uint64_t life() const override { return life_.load(std::memory_order_acquire); }
  bool start_process() override;
  std::string ask(std::uint64_t life, std::string_view request,
                  std::chrono::nanoseconds more) override;
  void end(std::uint64_t life, const std::string& why) override;

 private:
  using instant = std::chrono::steady_clock::time_point;

  // One process from its start to its end.
  struct process;

  // Require: the mutex is locked.
  void start();
  void end_now(const std::string& why, const std::string& call = {});

  void start_first();
  void restart();
  void pause_then_start(instant::duration lived);
  void read_output(const std::shared_ptr<process>&);
  void take_output(process&, std::string_view bytes);
  void drain_output(process&);
  void watch_end(const std::shared_ptr<process>&);
  void log_output(const output_lines::batch&) const;
  void close();
  void end_thread();

  const supervisor_settings settings_;
  std::string name_;  // for the log
  engines::process::description described_;

  std::mutex mutex_;
  std::function<void()> at_end_;
  std::shared_ptr<process> process_;
  std::uint64_t lives_ = 0;
  std::atomic<std::uint64_t> life_{0};
  std::atomic<std::uint64_t> restarts_{0};
  std::atomic<pid_t> process_id_{-1};

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keep_;
  boost::asio::steady_timer timer_;
  restart_backoff pause_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace gamehub::server
