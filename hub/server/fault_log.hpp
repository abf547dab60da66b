// Logs the faults of engines, actors and tasks, each once, and knows whether the hub has lost an
// actor that it needs. Owned by the composition; outlives the loops. Any thread.
#pragma once

#include "hub/base/time.hpp"
#include "hub/base/token_bucket.hpp"
#include "hub/core/fault_listener.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>

namespace gamehub::server {

// The exit code of a hub that lost an actor that it needs: EX_SOFTWARE of sysexits.h.
inline constexpr int exit_code_of_lost_actor = 70;
// The time from that loss to the exit. Probes can see it, and the journal commits what it has.
inline constexpr std::chrono::seconds exit_delay{1};

class fault_log final : public fault_listener {
 public:
  // Also receives the failures of engines when matches are destroyed.
  fault_log();
  ~fault_log() override;
  fault_log(const fault_log&) = delete;
  fault_log& operator=(const fault_log&) = delete;

  // Sets the function that is called when the first actor is lost, on that actor's thread. Called
  // before the actors start.
  void at_loss(std::function<void()> what) { at_loss_ = std::move(what); }
  // Returns a sentence that names the lost actor, or nothing.
  std::optional<std::string> loss() const;

  // Logs a fault, unless one of the same game and function was logged before. After `burst`
  // lines at once, limits::faults_logged_a_second_max a second have one; the next line has the
  // number of those left out.
  void on_engine_fault(const engine_fault&) override;
  // Returns how many were left out before this fault; nothing: it has no line.
  std::optional<std::uint64_t> admit(const engine_fault&, base::instant now);
  // Logs a fault that repeats at most once a second; the metrics count each.
  void on_fault(std::string_view where, std::string_view what) override;
  void on_essential_actor_lost(std::string_view actor) override;

 private:
  static constexpr std::uint32_t burst = 100;
  // The logged faults, of which the latest are known.
  static constexpr std::size_t known_max = 1'024;

  bool is_new(const std::string& fault);

  std::function<void()> at_loss_;
  mutable std::mutex mutex_;
  std::unordered_set<std::string> known_;
  std::deque<std::string> known_in_order_;
  base::token_bucket lines_;
  std::uint64_t left_out_ = 0;
  std::string latest_;  // fault of an actor or a task
  std::chrono::steady_clock::time_point latest_at_{};
  std::string lost_;
};

}  // namespace gamehub::server
