#include "actors/spectate/feed.hpp"

#include "actors/spectate/spectator_service.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::spectate {

namespace {

// Readers that one iteration serves, and updates that it sends to all of them, at some 4
// microseconds each: a popular game does not delay the moves of others.
constexpr std::ptrdiff_t readers_at_once = 64;
constexpr std::size_t updates_at_once = 64;

class feed_subscription final : public runtime::subscription {
 public:
  feed_subscription(runtime::loop& where, std::shared_ptr<feed> to)
      : where_(where), to_(std::move(to)) {}
  ~feed_subscription() override {
    if (!ended_) where_.post([to = std::move(to_)] { to->on_dropped(); });
  }
  feed_subscription(const feed_subscription&) = delete;
  feed_subscription& operator=(const feed_subscription&) = delete;

  bool open() const override { return to_->is_open(); }
  std::optional<seat_index> as() const override { return to_->as(); }
  void on_waiting(std::shared_ptr<const game_metadata> metadata) override {
    where_.post([to = to_, metadata = std::move(metadata)] { to->on_waiting(metadata); });
  }
  void follow(journal::record_number, present_ref present) override {
    where_.post([to = to_, present = std::move(present)] { to->follow(present); });
  }
  void publish(std::span<const update_ref> what, present_ref present) override {
    where_.post([to = to_, what = std::vector(what.begin(), what.end()),
                 present = std::move(present)] { to->on_update(what, present); });
  }
  void ended() override {
    ended_ = true;
    where_.post([to = to_] { to->end(); });
  }

 private:
  runtime::loop& where_;
  std::shared_ptr<feed> to_;
  bool ended_ = false;
};

}  // namespace

std::shared_ptr<runtime::subscription> make_subscription(runtime::loop& where,
                                                         std::shared_ptr<feed> to) {
  return std::make_shared<feed_subscription>(where, std::move(to));
}

class feed::handle final : public watch_handle {
 public:
  handle(std::shared_ptr<feed> of, std::shared_ptr<reader> mine)
      : of_(std::move(of)), mine_(std::move(mine)) {}
  ~handle() override {
    of_->release(*mine_);
    of_->tidy_later();
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  void pause(bool paused) override {
    mine_->paused = paused;
    if (!paused) of_->serve_later(mine_);
  }

 private:
  std::shared_ptr<feed> of_;
  std::shared_ptr<reader> mine_;
};

feed::feed(std::shared_ptr<loop_spectator_service> source, game_id id, std::optional<seat_index> as,
           std::optional<journal::member_id> far)
    : host_(std::move(source)), id_(id), as_(as), far_(far) {}

void feed::begin() {
  host_->find(id_, far_, make_subscription(host_->where(), shared_from_this()));
}

std::unique_ptr<watch_handle> feed::add(std::uint64_t after, std::shared_ptr<watcher> who) {
  host_->where().timers().cancel(std::exchange(deadline_, {}));
  auto mine = std::make_shared<reader>(reader{std::move(who), after + 1});
  readers_.push_back(mine);
  serve_later(mine);
  return std::make_unique<handle>(shared_from_this(), std::move(mine));
}

void feed::close() {
  stage_ = stage::gone;
  open_ = false;
  for (const auto& r : readers_) r->who.reset();
  readers_.clear();
  host_->where().timers().cancel(std::exchange(deadline_, {}));
}

void feed::on_waiting(std::shared_ptr<const game_metadata> metadata) {
  if (stage_ != stage::asking && stage_ != stage::waiting) return;
  const bool changed = std::exchange(stage_, stage::waiting) == stage::waiting;
  metadata_ = std::move(metadata);
  if (!changed) return serve_all();
  // A reader may leave meanwhile, or one may come.
  for (const auto& r : std::vector{readers_})
    if (const auto who = r->found ? r->who : nullptr) who->on_players(metadata_);
}

void feed::follow(present_ref present) {
  if (stage_ != stage::asking && stage_ != stage::waiting) return;
  present_ = std::move(present);
  stage_ = stage::joining;
  fetch(purpose::join);
}

void feed::on_update(const std::vector<update_ref>& what, present_ref present) {
  if (stage_ != stage::joining && stage_ != stage::live) return;
  present_ = std::move(present);
  // Skip the updates that the log has delivered.
  for (const auto& u : what) {
    if (u->number <= last()) continue;
    updates_.push_back(u);
    metadata_ = u->game;
  }
  if (stage_ == stage::joining) return;
  if (updates_.size() > limits::updates_kept_max)
    updates_.erase(updates_.begin(), updates_.end() - limits::updates_kept_max);
  serve_all();
}

void feed::end() {
  subscription_ended_ = true;
  if (stage_ != stage::live) return;
  stage_ = stage::ended;
  serve_all();
}

// The game ended before the subscription reached it, or failed, or does not exist.
void feed::on_dropped() {
  if (stage_ != stage::ended && stage_ != stage::gone) fetch(purpose::end);
}

void feed::fetch(purpose why) {
  if (why == purpose::past && std::exchange(fetching_past_, true)) return;
  auto then = [self = shared_from_this(), why, number = ++fetches_](auto log) {
    if (why == purpose::past) self->fetching_past_ = false;
    // A later replay replaces this one.
    if (number == self->fetches_ && self->stage_ != stage::gone) self->fetched(why, std::move(log));
  };
  far_ ? host_->replay_far(id_, std::move(then)) : host_->replay_log(id_, as_, std::move(then));
}

void feed::fetched(purpose why, std::optional<game_replay> log) {
  if (log && why == purpose::past) {
    past_ = std::move(log->updates);
  } else if (log && (why == purpose::join || log->ended)) {
    metadata_ = log->game;
    // The log contains every update, because the subscription has ended.
    if (why == purpose::end) {
      updates_.clear();
      from_log_ = true;
    }
    keep(std::move(log->updates));
    stage_ = log->ended || subscription_ended_ ? stage::ended : stage::live;
  } else {
    stage_ = stage::gone;
    open_ = false;
    host_->remove_feed(*this);
  }
  serve_all();
}

// Updates of the subscription follow those of the log.
void feed::keep(std::vector<update_ref> history) {
  if (!updates_.empty()) {
    const auto live = updates_.front()->number;
    std::erase_if(history, [live](const update_ref& u) { return u->number >= live; });
  }
  updates_.insert(updates_.begin(), history.begin(), history.end());
}

void feed::add_late(std::shared_ptr<reader> who) {
  if (!std::exchange(who->late, true)) late_.push_back(std::move(who));
}

void feed::serve_later(std::shared_ptr<reader> who) {
  add_late(std::move(who));
  tidy_later();
}

void feed::tidy_later() {
  if (std::exchange(will_serve_, true)) return;
  host_->where().post([self = shared_from_this()] { self->serve_late(); });
}

void feed::serve_late() {
  will_serve_ = false;
  const auto rest = late_.begin() + std::min(std::ssize(late_), readers_at_once);
  std::vector now(std::move_iterator{late_.begin()}, std::move_iterator{rest});
  late_.erase(late_.begin(), rest);
  for (const auto& r : now) r->late = false;
  serve(std::move(now));
  serve_rest();
}

// Many feeds may have a long history to send, few have many readers.
void feed::serve_rest() {
  tidy();
  const bool has_history = std::exchange(late_for_history_, false);
  if (late_.empty() || std::exchange(will_serve_, true)) return;
  auto next = [self = shared_from_this()] { self->serve_late(); };
  has_history ? host_->where().defer_part(std::move(next)) : host_->where().post(std::move(next));
}

void feed::serve_all() {
  if (std::ssize(readers_) <= readers_at_once)
    serve(readers_);
  else
    for (const auto& each : readers_) add_late(each);
  serve_rest();
}

// By value, because a watcher may add readers.
void feed::serve(std::vector<std::shared_ptr<reader>> whom) {
  if (stage_ == stage::asking || stage_ == stage::joining) return;
  std::vector<std::shared_ptr<reader>> behind;
  for (const auto& each : whom) {
    greet(*each);
    if (each->can_read() && each->next <= last()) behind.push_back(each);
  }
  const bool complete = send_updates(behind);
  if (stage_ == stage::live && present_ && present_->number == last()) send_present(whom);
  if (stage_ == stage::ended)
    for (const auto& each : whom)
      if (each->found && each->can_read() && each->next > last()) release(*each)->on_end();
  if (!complete) fetch(purpose::past);
}

void feed::greet(reader& r) {
  if (!r.can_read()) return;
  if (stage_ == stage::gone) return release(r)->on_unavailable();
  if (std::exchange(r.found, true)) return;
  const auto status = stage_ == stage::waiting ? game_status::waiting
                      : stage_ == stage::live  ? game_status::running
                                               : game_status::ended;
  const auto who = r.who;
  who->on_found({metadata_, status, last()});
}

std::shared_ptr<watcher> feed::release(reader& r) {
  some_left_ = true;
  return std::exchange(r.who, nullptr);
}

// One update to all readers, then the next, so that they can share what they make of it.
bool feed::send_updates(std::span<const std::shared_ptr<reader>> to) {
  bool complete = true;
  std::size_t sent = 0;
  auto number = last() + 1;
  for (const auto& r : to) number = std::min(number, r->next);
  for (; number <= last() && sent < updates_at_once; ++number) {
    const auto* found = at(number);
    const auto what = found == nullptr ? nullptr : *found;
    for (const auto& r : to) {
      if (r->next != number || !r->can_read() || sent == updates_at_once) continue;
      if (!what) {
        complete = false;
        continue;
      }
      ++r->next;
      ++sent;
      const auto who = r->who;
      if (stage_ == stage::live && number == last() && present_ && present_->number == number)
        who->on_latest_update(what, present_);
      else
        who->on_update(what);
    }
  }
  if (sent < updates_at_once) return complete;
  for (const auto& r : to) {
    if (!r->can_read() || r->next > last()) continue;
    late_for_history_ = true;
    add_late(r);
  }
  return complete;
}

void feed::send_present(std::span<const std::shared_ptr<reader>> to) {
  const auto now = present_;
  position_ref latest;
  for (const auto& each : to) {
    if (!each->found || !each->can_read() || each->next <= last() || each->present == now) continue;
    if (!latest) latest = latest_position();
    each->present = now;
    const auto who = each->who;
    who->on_present(now, latest);
  }
}

position_ref feed::latest_position() const {
  const auto at = std::find_if(updates_.rbegin(), updates_.rend(),
                               [](const update_ref& u) { return u->then != nullptr; });
  return at == updates_.rend() ? nullptr : (*at)->then;
}

const update_ref* feed::at(std::uint64_t number) const {
  const auto first = updates_.front()->number;
  if (number >= first) return &updates_[number - first];
  return number - 1 < past_.size() ? &past_[number - 1] : nullptr;
}

void feed::tidy() {
  if (late_.empty()) past_.clear();
  if (std::exchange(some_left_, false))
    std::erase_if(readers_, [](const auto& r) { return !r->who; });
  if (readers_.empty() && stage_ != stage::gone) set_deadline();
}

// Keeps a feed without readers for a while, because polling clients return. Not that of a game that
// had ended before: a stranger could make one of each game in the log.
void feed::set_deadline() {
  if (stage_ == stage::ended && from_log_) return remove();
  if (deadline_) return;
  auto& where = host_->where();
  deadline_ = where.timers().arm(where.now() + limits::unwatched_kept, [self = shared_from_this()] {
    self->deadline_ = {};
    self->remove();
  });
}

void feed::remove() {
  host_->where().timers().cancel(std::exchange(deadline_, {}));
  open_ = false;
  stage_ = stage::gone;
  host_->remove_feed(*this);
}

}  // namespace gamehub::actors::spectate
