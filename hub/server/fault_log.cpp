#include "hub/server/fault_log.hpp"

#include "engines/host/engine.hpp"
#include "hub/base/log.hpp"
#include "hub/core/limits.hpp"

#include <utility>

namespace gamehub::server {

fault_log::fault_log() {
  engines::host::report_destroy_failures([this](const engines::host::engine& rules,
                                                const engines::host::engine_failure& failure) {
    on_engine_fault(
        {std::string{rules.id()}, rules.version_text(), {}, failure.function(), failure.what()});
  });
}

fault_log::~fault_log() { engines::host::report_destroy_failures({}); }

std::optional<std::string> fault_log::loss() const {
  const std::lock_guard lock{mutex_};
  if (lost_.empty()) return std::nullopt;
  return "the " + lost_ + " has ended by a fault; the hub restarts";
}

std::optional<std::uint64_t> fault_log::admit(const engine_fault& f, base::instant now) {
  auto key = f.engine + ' ' + f.version + ' ' + std::to_string(f.game.value) + ' ' + f.function;
  const std::lock_guard lock{mutex_};
  if (!known_.insert(key).second) return std::nullopt;
  known_in_order_.push_back(std::move(key));
  if (known_in_order_.size() > known_max) {
    known_.erase(known_in_order_.front());
    known_in_order_.pop_front();
  }
  constexpr base::request_rate rate{
      base::duration{std::chrono::seconds{1}} / limits::faults_logged_a_second_max, burst};
  if (lines_.take(rate, now)) return ++left_out_, std::nullopt;
  return std::exchange(left_out_, 0);
}

bool fault_log::is_new(const std::string& fault) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock{mutex_};
  if (fault == latest_ && now - latest_at_ < std::chrono::seconds{1}) return false;
  latest_ = fault;
  latest_at_ = now;
  return true;
}

void fault_log::on_engine_fault(const engine_fault& f) {
  const auto left_out = admit(f, std::chrono::steady_clock::now());
  if (!left_out) return;
  base::log::error("an engine failed", {{"engine", f.engine},
                                        {"version", f.version},
                                        {"game", f.game.value},
                                        {"function", f.function},
                                        {"what", f.what},
                                        {"seat", f.seat},
                                        {"action", f.action},
                                        {"left_out", *left_out}});
}

void fault_log::on_fault(std::string_view where, std::string_view what) {
  if (!is_new(std::string{where} + ": " + std::string{what})) return;
  base::log::error("an internal error", {{"where", where}, {"what", what}});
}

void fault_log::on_essential_actor_lost(std::string_view actor) {
  {
    const std::lock_guard lock{mutex_};
    if (!lost_.empty()) return;
    lost_ = actor;
  }
  base::log::error("the hub has lost an actor that it needs, and ends to be restarted",
                   {{"actor", actor}, {"exit_code", exit_code_of_lost_actor}});
  if (at_loss_) at_loss_();
}

}  // namespace gamehub::server
