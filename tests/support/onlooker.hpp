// A spectator of games of a test hub that keeps the updates. And updates as lines, to be
// compared. One thread.
#pragma once

#include "hub/core/spectator_service.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

inline std::string line_of(const game_update& u) {
  constexpr const char* kinds[] = {"opened", "joined", "moved", "drawn",
                                   "said",   "left",   "ended", "renamed"};
  auto out = std::to_string(u.number) + " " + kinds[static_cast<std::size_t>(u.what)];
  if (u.hidden) out += " hidden";
  if (u.seat) out += " seat " + std::to_string(*u.seat);
  if (!u.name.empty()) out += " by " + u.name;
  if (!u.text.empty()) out += " \"" + u.text + "\"";
  if (u.cell) out += " at " + std::to_string(*u.cell);
  if (!u.then) return out;
  const auto& p = *u.then;
  out += " [" + p.cells + p.document + "] " + std::to_string(p.to_move);
  if (p.outcome) {
    out += " " + std::string{to_string(p.outcome->reason)} + " " +
           std::to_string(p.outcome->winner.value_or(-1));
    for (const auto score : p.outcome->scores) out += " " + std::to_string(static_cast<int>(score));
  }
  return out;
}

inline std::vector<std::string> lines_of(const std::vector<update_ref>& updates) {
  std::vector<std::string> out;
  for (const auto& u : updates) out.push_back(line_of(*u));
  return out;
}

class onlooker final : public watcher {
 public:
  // Watches until it is asked to stop, or destroyed.
  static std::shared_ptr<onlooker> of(spectator_service& in, game_id game, std::uint64_t after = 0,
                                      std::optional<seat_index> as = {}) {
    auto made = std::make_shared<onlooker>();
    made->handle_ = in.watch(game, after, as, made);
    return made;
  }
  // The same of a game that another hub of the cluster has.
  static std::shared_ptr<onlooker> of_elsewhere(spectator_service& in, std::uint64_t hub,
                                                game_id game, std::uint64_t after = 0) {
    auto made = std::make_shared<onlooker>();
    made->handle_ = in.watch_elsewhere(hub, game, after, made);
    return made;
  }
  void stop() { handle_.reset(); }
  bool stopped() const { return handle_ == nullptr; }
  void pause(bool paused) { handle_->pause(paused); }

  std::optional<game_progress> progress;
  std::vector<update_ref> updates;
  // The present states, and the number of the latest update that had each one with it.
  std::vector<present_ref> presents;
  position_ref stands;  // the position of the latest one
  std::uint64_t latest = 0;
  int ends = 0, unknowns = 0;
  // Unsubscribes after this many updates, from within the call.
  std::size_t enough = ~std::size_t{0};
  // Called for each update, if set.
  std::function<void(const game_update&)> on_each;
  // Whether something was told that should not have been.
  bool muddled = false;

  std::vector<std::string> lines() const { return lines_of(updates); }
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> out;
    for (const auto& u : updates) out.push_back(u->number);
    return out;
  }

  void on_found(const game_progress& p) override {
    muddled |= progress.has_value() || !updates.empty() || over();
    progress = p;
  }
  void on_update(const update_ref& u) override {
    muddled |= !progress || over() || (!updates.empty() && updates.back()->number + 1 != u->number);
    updates.push_back(u);
    if (on_each) on_each(*u);
    if (updates.size() >= enough) stop();
  }
  void on_latest_update(const update_ref& u, const present_ref& p) override {
    muddled |= !p || p->number != u->number;
    latest = u->number;
    on_update(u);
  }
  void on_present(const present_ref& p, const position_ref& then) override {
    muddled |= !p || over() || (!updates.empty() && updates.back()->number != p->number);
    presents.push_back(p);
    stands = then;
  }
  void on_end() override {
    muddled |= !progress || over();
    ++ends;
  }
  void on_unavailable() override {
    muddled |= over();
    ++unknowns;
  }

 private:
  bool over() const { return ends + unknowns > 0; }

  std::unique_ptr<watch_handle> handle_;
};

}  // namespace gamehub::tests
