#include "actors/relay/game_watchers.hpp"

#include "actors/relay/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>

namespace gamehub::actors::relay {

namespace messages = gamehub::relay;

namespace {

// A link without room is tried again after this time.
constexpr std::chrono::milliseconds room_pause{20};

}  // namespace

// One game, watched for one hub.
class game_watchers::one final : public watcher, public std::enable_shared_from_this<one> {
 public:
  one(game_watchers& of, member_id to, std::uint64_t number)
      : of_(of.shared_from_this()), to_(to), number_(number) {}

  void begin(game_id game, std::uint64_t after) {
    handle_ = of_->games_.watch(game, after, std::nullopt, shared_from_this());
  }
  void stop() {
    stopped_ = true;
    of_->loop_.timers().cancel(std::exchange(timer_, {}));
    handle_.reset();
  }
  void on_taken(std::uint32_t updates) {
    untaken_ -= std::min(untaken_, updates);
    flush();
  }

  void on_found(const game_progress& p) override {
    about_ = p.game;
    push(messages::watch_found{number_, p.game, p.status, p.last});
  }
  void on_players(const std::shared_ptr<const game_metadata>& game) override {
    about_ = game;
    push(messages::watch_found{number_, game, game_status::waiting, 0});
  }
  void on_update(const update_ref& u) override { on_latest_update(u, nullptr); }
  void on_latest_update(const update_ref& u, const present_ref& present) override {
    const bool changed = std::exchange(about_, u->game) != u->game;
    messages::watch_update m{number_, changed ? u->game : nullptr, *u, present};
    m.what.game = nullptr;
    if (present) latest_present_ = present;
    // What was not sent is that of an earlier update.
    present_ = nullptr;
    push(std::move(m));
  }
  void on_present(const present_ref& present, const position_ref&) override {
    if (std::exchange(latest_present_, present) == present) return;
    present_ = present;
    flush();
  }
  void on_end() override { push(messages::watch_end{number_, true}); }
  void on_unavailable() override { push(messages::watch_end{number_, false}); }

 private:
  void push(messages::message m) {
    out_.push_back(std::move(m));
    flush();
  }

  // The game sends nothing while something is left: at most what it sends in one call.
  void flush() {
    const auto self = shared_from_this();
    while (!stopped_) {
      if (out_.empty() && present_)
        out_.emplace_back(messages::watch_present{number_, std::exchange(present_, nullptr)});
      if (out_.empty()) return pause(false);
      const bool is_update = std::holds_alternative<messages::watch_update>(out_.front());
      if (is_update && untaken_ >= messages::watch_updates_max) return pause(true);
      if (!of_->by_.has_room(to_)) return wait_for_room();
      const bool ends = std::holds_alternative<messages::watch_end>(out_.front());
      const bool sent = of_->by_.send(to_, out_.front(), of_->loop_.now());
      out_.pop_front();
      if (is_update) ++untaken_;
      // An update is too long for the link, or the hub is gone: that one looks for the game again.
      if (!sent) of_->by_.send(to_, messages::watch_end{number_, false}, {});
      if (!sent || ends) return of_->remove(to_, number_);
    }
  }
  void pause(bool on) {
    if (handle_ && std::exchange(paused_, on) != on) handle_->pause(on);
  }
  void wait_for_room() {
    pause(true);
    if (timer_) return;
    timer_ = of_->loop_.timers().arm(of_->loop_.now() + room_pause, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->timer_ = {};
      self->flush();
    });
  }

  const std::shared_ptr<game_watchers> of_;
  const member_id to_;
  const std::uint64_t number_;
  std::unique_ptr<watch_handle> handle_;
  std::shared_ptr<const game_metadata> about_;  // as the other hub knows it
  std::deque<messages::message> out_;
  present_ref present_;         // not sent yet; null: nothing
  present_ref latest_present_;  // that was sent, or is to be
  std::uint32_t untaken_ = 0;   // updates
  base::timers::token timer_;
  bool paused_ = false;
  bool stopped_ = false;
};

game_watchers::~game_watchers() = default;

void game_watchers::receive(member_id from, const messages::watch& m) {
  if (closed_) return;
  auto& of_hub = all_[from];
  if (of_hub.contains(m.number)) return;
  if (of_hub.size() >= watchers_max) {
    by_.count_refused_watch();
    by_.send(from, messages::watch_end{m.number, false}, {});
    return;
  }
  by_.add_watchers(1);
  const auto made = std::make_shared<one>(*this, from, m.number);
  of_hub.emplace(m.number, made);
  made->begin(m.game, m.after);
}

void game_watchers::receive(member_id from, const messages::watch_taken& m) {
  const auto at = all_.find(from);
  if (at == all_.end()) return;
  if (const auto who = at->second.find(m.number); who != at->second.end()) {
    const auto kept = who->second;
    kept->on_taken(m.updates);
  }
}

void game_watchers::receive(member_id from, const messages::watch_gone& m) {
  remove(from, m.number);
}

void game_watchers::remove(member_id from, std::uint64_t number) {
  const auto at = all_.find(from);
  if (at == all_.end()) return;
  const auto who = at->second.extract(number);
  if (at->second.empty()) all_.erase(at);
  if (who.empty()) return;
  by_.add_watchers(-1);
  who.mapped()->stop();
}

void game_watchers::lose(const std::vector<member_id>& gone) {
  for (const auto each : gone) {
    const auto lost = all_.extract(each);
    if (lost.empty()) continue;
    by_.add_watchers(-static_cast<std::int64_t>(lost.mapped().size()));
    for (const auto& [number, who] : lost.mapped()) who->stop();
  }
}

void game_watchers::close() {
  closed_ = true;
  std::vector<member_id> all;
  for (const auto& [member, watchers] : all_) all.push_back(member);
  lose(all);
}

}  // namespace gamehub::actors::relay
