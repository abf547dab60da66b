// Keeps the process of one isolated engine: starts it, talks to it, ends it when it does not answer
// in time or says what can't be, and starts it anew after a pause. What it writes to its output
// goes to the log. It has a thread of its own for what nobody waits for; ask() and end() may be
// called by any thread, bring_up() by one that lasts. Made by `isolated_engines`, and outlives the
// hub's actors.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "engines/remote/remote_engine.hpp"
#include "hub/app/child_process.hpp"
#include "hub/app/isolation/pause.hpp"
#include "hub/app/isolation/said_lines.hpp"

namespace gamehub::app::process {

struct supervisor_settings {
  std::string program = this_program;
  std::string engine;  // what serve_engine() takes
  std::chrono::milliseconds call{1'000};
  child_limits limits;
};

class process_supervisor final : public engines::remote::line {
 public:
  // Starts the process and waits until it has said what it is. Throws engine_failure if it doesn't.
  explicit process_supervisor(supervisor_settings);
  ~process_supervisor() override;

  const engines::remote::description& described() const { return described_; }

  // Called by its own thread after each life that ended, before the next one begins. It waits for
  // nothing and asks no engine.
  void at_end(std::function<void()> what);

  // Of the present life, or the last one.
  pid_t process_id() const { return process_id_.load(std::memory_order_relaxed); }
  std::uint64_t restarts() const { return restarts_.load(std::memory_order_relaxed); }

  std::uint64_t life() const override { return life_.load(std::memory_order_acquire); }
  bool bring_up() override;
  std::string ask(std::uint64_t life, std::string_view request,
                  std::chrono::nanoseconds more) override;
  void end(std::uint64_t life, const std::string& why) override;

 private:
  using instant = std::chrono::steady_clock::time_point;

  // Of one life.
  struct process;

  // These three need the mutex.
  void start();
  void take_description();
  void end_now(const std::string& why);

  void start_first();
  void restart();
  void pause_then_start(instant::duration lived);
  void read_output(const std::shared_ptr<process>&);
  void watch_end(const std::shared_ptr<process>&);
  void tell(const said_lines::batch&) const;
  void close();
  void end_thread();

  const supervisor_settings settings_;
  std::string name_;  // for the log
  engines::remote::description described_;

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

}  // namespace gamehub::app::isolation
