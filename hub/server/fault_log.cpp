#include "hub/server/fault_log.hpp"

#include "engines/host/engine.hpp"
#include "hub/base/log.hpp"

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

bool fault_log::is_new(const engine_fault& f) {
  auto key = f.engine + ' ' + f.version + ' ' + std::to_string(f.game.value) + ' ' + f.function;
  const std::lock_guard lock{mutex_};
  if (!known_.insert(key).second) return false;
  known_in_order_.push_back(std::move(key));
  if (known_in_order_.size() > known_max) {
    known_.erase(known_in_order_.front());
    known_in_order_.pop_front();
  }
  return true;
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
  if (!is_new(f)) return;
  base::log::error("an engine failed", {{"engine", f.engine},
                                        {"version", f.version},
                                        {"game", f.game.value},
                                        {"function", f.function},
                                        {"what", f.what}});
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
