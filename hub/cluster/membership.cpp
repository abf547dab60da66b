#include "hub/cluster/membership.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace gamehub::cluster {

using clock = std::chrono::steady_clock;

membership::membership(std::unique_ptr<member_table> table, member_id self, member_actions actions,
                       const watch_tuning& tuning)
    : table_(std::move(table)),
      self_(self),
      actions_(std::move(actions)),
      tuning_(tuning),
      watch_(self, tuning) {}

membership::~membership() { stop(); }

void membership::start() {
  beats_ = std::thread{[this] { run(); }};
  adoptions_ = std::thread{[this] { run_adoptions(); }};
}

void membership::start_adopting() {
  auto before = adoptions::later;
  if (!adopts_.compare_exchange_strong(before, adoptions::now)) return;
  {
    const std::lock_guard lock{mutex_};
    beats_at_once_ = true;
  }
  changed_.notify_all();
}

void membership::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  if (beats_.joinable()) beats_.join();
  if (adoptions_.joinable()) adoptions_.join();
}

bool membership::leave() {
  try {
    table_->leave();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

std::vector<member_state> membership::members(base::instant now) const {
  const std::lock_guard lock{mutex_};
  std::vector<member_state> all;
  for (const auto& r : rows_) {
    const auto at = grew_.find(r.id);
    const auto silent = at == grew_.end() ? clock::duration{0} : now - at->second.at;
    all.push_back({r, std::chrono::duration_cast<std::chrono::milliseconds>(silent)});
  }
  return all;
}

std::size_t membership::others() const {
  const std::lock_guard lock{mutex_};
  return static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(),
                    [this](const member_row& r) { return r.id != self_ && is_here(r); }));
}

bool membership::may_take_over(base::instant since) const {
  const std::lock_guard lock{mutex_};
  // Before the first beat nothing is known.
  if (adopting_ || rows_.empty()) return true;
  // An owner that has gone, too, counts itself.
  const auto owner_is_here = [&](const member_row& r) {
    const auto owner = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const member_row& o) { return o.id == *r.adopted_by; });
    return owner != rows_.end() && is_here(*owner);
  };
  return std::any_of(rows_.begin(), rows_.end(), [&](const member_row& r) {
    if (r.id == self_ || r.taken) return false;
    if (r.adopted_by) return owner_is_here(r);
    return r.left ? !waits_for_engine(r, rows_) : grew_.at(r.id).after <= since;
  });
}

void membership::run() {
  auto next = clock::now();
  for (;;) {
    if (!step(clock::now(), [] { return clock::now(); })) return actions_.on_fenced();
    // After a pause of this process one beat is enough.
    next = std::max(next + tuning_.interval, clock::now());
    std::unique_lock lock{mutex_};
    changed_.wait_until(lock, next, [this] { return stopping_ || beats_at_once_; });
    if (stopping_) return;
    if (std::exchange(beats_at_once_, false)) next = clock::now();
  }
}

bool membership::step(base::instant sent, const std::function<base::instant()>& now) {
  // Before the read, so that it shows beats after the break.
  take_links();
  try {
    const auto rows = table_->beat(actions_.games(),
                                   actions_.engines ? actions_.engines() : std::set<std::string>{});
    const auto answered = now();
    bool busy = false;
    {
      const std::lock_guard lock{mutex_};
      busy = adopting_.has_value();
      note(rows, sent, answered);
    }
    const auto may_adopt = adopts_ == adoptions::now && !busy;
    const auto what = watch_.on_rows(sent, answered, rows, may_adopt);
    if (std::exchange(in_trouble_, false)) actions_.on_trouble({});
    if (actions_.on_rows) actions_.on_rows(rows);
    if (what.adopt) adopt_now(*what.adopt);
    return !what.fenced;
  } catch (const std::exception& e) {
    watch_.on_failure();
    if (!std::exchange(in_trouble_, true)) actions_.on_trouble(e.what());
    return true;
  }
}

void membership::note(const std::vector<member_row>& rows, base::instant sent, base::instant now) {
  rows_ = rows;
  std::map<member_id, growth> grew;
  for (const auto& r : rows) {
    const auto at = grew_.find(r.id);
    const auto same = at != grew_.end() && at->second.beats == r.beats;
    grew[r.id] = same ? at->second : growth{r.beats, now, last_sent_};
  }
  grew_ = std::move(grew);
  last_sent_ = sent;
}

void membership::note_link(member_id who, bool broken) {
  const std::lock_guard lock{mutex_};
  links_[who] = broken;
}

void membership::take_links() {
  std::map<member_id, bool> links;
  {
    const std::lock_guard lock{mutex_};
    links.swap(links_);
  }
  for (const auto& [who, broken] : links)
    broken ? watch_.on_link_broken(who) : watch_.on_link_up(who);
}

void membership::adopt_now(member_id other) {
  {
    const std::lock_guard lock{mutex_};
    adopting_ = other;
  }
  changed_.notify_all();
}

bool membership::adopting() const {
  const std::lock_guard lock{mutex_};
  return adopting_.has_value();
}

void membership::run_adoptions() {
  for (;;) {
    {
      std::unique_lock lock{mutex_};
      changed_.wait(lock, [this] { return stopping_ || adopting_; });
      if (stopping_) return;
    }
    adopt_next();
  }
}

bool membership::adopt_next() {
  std::unique_lock lock{mutex_};
  if (!adopting_) return false;
  const auto other = *adopting_;
  lock.unlock();
  try {
    actions_.adopt(other);
  } catch (const std::exception& e) {
    actions_.on_trouble(e.what());
  }
  lock.lock();
  adopting_.reset();
  return true;
}

}  // namespace gamehub::cluster
