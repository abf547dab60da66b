// The webhooks of a running hub, on one thread with its own io_context: takes the reports of games
// and the registrations, stores them in the file, and calls the receivers. The thread waits for the
// file and for no game or client. Owned by the composition; its functions may be called on any
// thread.
#pragma once

#include "gateways/bots/resolver.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/absence_listener.hpp"
#include "hub/core/webhook_registry.hpp"
#include "hub/webhook/book.hpp"
#include "hub/webhook/caller.hpp"
#include "hub/webhook/file.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

namespace gamehub::webhook {

struct service_setup {
  std::filesystem::path file;  // empty: in memory
  bool fsync_each_commit = false;
  std::vector<base::network> allowed;  // exceptions from the default address policy
  base::duration call_time = limits::webhook_call_default;
  book_rules rules;
  // Called on the thread: a webhook is off; writing fails (with the reason) or works again (empty).
  std::function<void(const std::string& host, const std::string& why)> on_off;
  std::function<void(const std::string& why)> on_trouble;
  gateways::bots::resolver::lookup lookup = gateways::bots::resolver::ask_system;
};

// The result of a registration and of a call, in the order of the metrics.
enum class registration : std::uint8_t { accepted, invalid, limited, full };
inline constexpr std::size_t registration_count = 4;
inline constexpr std::size_t call_result_count = 3;  // book::result

struct service_numbers {
  bool ok = true;  // the file can be written
  book::counts totals;
  std::array<std::uint64_t, registration_count> registrations{};
  std::array<std::uint64_t, call_result_count> calls{};
  std::uint64_t reports_dropped = 0;
};

class service final : public absence_listener, public webhook_registry {
 public:
  // Opens and reads the file. Throws journal::unusable_file.
  explicit service(service_setup);
  ~service() override { stop(); }
  service(const service&) = delete;
  service& operator=(const service&) = delete;

  // Starts the thread. What was reported before is read then.
  void start();
  // Ends the registrations that wait for their receivers, and takes no more. Calls go on.
  void drain();
  // Cancels all calls, stores what is left, and ends the thread.
  void stop();

  void on_turn(absent_turn) override;
  void on_turn_over(const std::string& player, game_id) override;
  void on_end(lasting_end) override;

  void set(webhook_request, answer) override;
  void find(const std::string& player, answer) override;
  void remove(const std::string& player, answer) override;

  service_numbers numbers() const;

 private:
  struct pending;
  using pending_ref = std::shared_ptr<pending>;

  void run();
  // Runs a function on the thread; `report`: it is dropped if too many wait.
  void post(std::function<void()>, bool report = false);
  void begin_registration(const pending_ref&);
  void finish_registration(const pending_ref&, const visit_result&);
  // Answers a registration, unless it is answered.
  void end(const pending_ref&, registration, const outcome&);
  std::optional<webhook_refusal> why_not(const webhook_request&);
  // Makes the calls that are due, stores what has changed, and sets the timer.
  void advance();
  void store();
  void count();

  const service_setup setup_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  file file_;
  book book_;
  caller caller_;
  base::system_entropy random_;
  base::bucket_table rates_;
  const std::string salt_;
  std::unordered_set<pending_ref> pending_;
  std::map<std::string, std::size_t> pending_by_sender_;
  changes unwritten_;
  bool draining_ = false, in_trouble_ = false;

  std::atomic<std::size_t> reports_waiting_{0};
  std::atomic<std::uint64_t> reports_dropped_{0};
  mutable std::mutex mutex_;
  service_numbers numbers_;  // guarded by the mutex
  std::thread thread_;
};

}  // namespace gamehub::webhook
