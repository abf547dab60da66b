#include "tests/simulation/simulated_member.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gamehub::tests {

using namespace std::chrono_literals;

namespace {

constexpr auto beat_interval = cluster::watch_tuning{}.interval;

// How long a fenced hub waits for its clients, and for the database to be a member again.
constexpr auto farewell = 5s;
constexpr auto joins_within = 5s;

// An adoption may wait for the database.
constexpr int rounds_max = 64;

journal::writer_tuning tuning(std::uint64_t redo_bytes_max) {
  journal::writer_tuning t;
  t.redo_bytes_max = redo_bytes_max;
  t.now = [] { return base::wall_time{}; };
  t.steady_now = [] { return base::instant{}; };
  t.by_hand = true;
  return t;
}

}  // namespace

// The connection of one member.
class simulated_member::store final : public fake_log {
 public:
  explicit store(simulated_member& of)
      : fake_log(of.cluster_.database,
                 [&of](std::string_view step) {
                   if (of.is_cut_off()) return log_fault::refused;
                   return of.cluster_.fault(step);
                 }),
        of_(of) {}

  std::vector<journal::member_id> logs_of(journal::member_id of) override {
    be_reached();
    return fake_log::logs_of(of);
  }
  journal::log_contents recover(journal::member_id of) override {
    be_reached();
    return fake_log::recover(of);
  }

 private:
  // Others do something before.
  void be_reached() const {
    if (base::instead_of_waiting) base::instead_of_waiting();
    if (of_.is_cut_off()) throw std::runtime_error{"no database"};
  }

  simulated_member& of_;
};

class simulated_member::table final : public cluster::member_table {
 public:
  table(simulated_member& of, journal::member_id self)
      : of_(of), cluster_(of.cluster_), self_(self) {
    cluster_.heartbeats[self_];
  }

  std::vector<cluster::member_row> beat(std::uint64_t games,
                                        const std::set<std::string>& engines) override {
    if (of_.is_cut_off()) throw std::runtime_error{"no database"};
    auto& mine = cluster_.heartbeats.at(self_);
    ++mine.beats;
    mine.games = games;
    mine.engines = engines;
    std::vector<cluster::member_row> rows;
    cluster_.database.look([&](const fake_database::state& s) {
      for (const auto& [id, m] : s.members) {
        auto& r = rows.emplace_back();
        r.id = id;
        r.beats = cluster_.heartbeats[id].beats;
        r.games = m.needs.empty() ? cluster_.heartbeats[id].games : m.kept.size();
        r.engines = m.needs.empty() ? cluster_.heartbeats[id].engines : m.needs;
        r.left = !m.needs.empty() || cluster_.heartbeats[id].left;
        r.adopted_by = m.adopted_by;
        r.taken = m.released;
        r.record_format = cluster_.record_format;
      }
    });
    return rows;
  }
  void leave() override { cluster_.heartbeats.at(self_).left = true; }

 private:
  simulated_member& of_;
  simulated_cluster& cluster_;
  const journal::member_id self_;
};

simulated_member::simulated_member(simulated_cluster& c, test_hub_options o,
                                   std::uint64_t redo_bytes_max)
    : cut_off_until(c.now), cluster_(c), next_beat_(c.now), leaves_at_(c.now), joins_until_(c.now) {
  auto fault = std::exchange(cluster_.fault, [](std::string_view) { return log_fault::none; });
  journal_ = std::make_unique<server::cluster_journal>(std::make_unique<store>(*this),
                                                       tuning(redo_bytes_max));
  journal_->log().step();  // the first ids
  cluster_.fault = std::move(fault);
  journal_->log().at_fencing([this](const std::string&) { fenced_ = true; });
  exchange_ = std::make_unique<actors::relay::exchange>(
      actors::relay::exchange_options{id(), [this](journal::member_id to, std::string message) {
                                        if (dead_) return false;
                                        cluster_.links[{id(), to}].push_back(std::move(message));
                                        return true;
                                      }});
  o.log = &journal_->log();
  o.settings.hubs = exchange_.get();
  o.settings.game_ids = &journal_->game_ids();
  o.settings.player_ids = &journal_->player_ids();
  o.settings.change_keys = journal_->key_changer();
  o.may_arrive = [this](base::instant at) { return !members_ || members_->may_take_over(at); };
  hub_ = std::make_unique<test_hub>(std::move(o));
  members_ = std::make_unique<server::cluster_members>(
      *journal_, std::make_unique<table>(*this, id()), hub_->runtime().directory());
  members_->on_members([this](const auto& rows) { know(rows); });
  members_->start_adopting(hub_->runtime(), nobody_);
  set_clock();
}

simulated_member::~simulated_member() {
  dead_ = true;
  std::erase_if(cluster_.links, [this](const auto& each) {
    const auto& [from, to] = each.first;
    const auto former = journal_->self();
    return from == id() || to == id() || from == former || to == former;
  });
  exchange_->on_members({});
  // What follows reaches neither the database nor a client.
  hub_->runtime().release_games();
  hub_->settle();
  adoption_.reset();
  members_.reset();
  hub_.reset();
}

void simulated_member::know(const std::vector<cluster::member_row>& rows) {
  known_.clear();
  const auto is_here = [](const cluster::member_row& r) {
    return !r.taken && !r.adopted_by && !r.left;
  };
  // The others refuse a hub that is not a member any more.
  if (std::any_of(rows.begin(), rows.end(),
                  [&](const auto& r) { return r.id == id() && is_here(r); }))
    for (const auto& r : rows)
      if (r.id != id() && is_here(r)) known_.insert(r.id);
  exchange_->on_members({known_.begin(), known_.end()});
}

void simulated_member::set_clock() {
  hub_->pass(std::chrono::duration_cast<std::chrono::milliseconds>(cluster_.now - hub_->now()));
}

void simulated_member::beat() {
  set_clock();
  if (cluster_.now < next_beat_) return;
  next_beat_ = std::max(next_beat_ + beat_interval, cluster_.now);
  const auto now = [this] { return cluster_.now; };
  if (!fenced_ && !members_->membership().step(cluster_.now, now))
    journal_->log().fence("another member has adopted this one");
  if (entry_ && !entry_->step(cluster_.now, now)) insist();
}

bool simulated_member::step_loop(std::size_t loop) {
  set_clock();
  return hub_->step(loop);
}

bool simulated_member::receive() {
  set_clock();
  for (auto& [way, messages] : cluster_.links) {
    if (way.second != id() || messages.empty() || cluster_.cut.contains(way)) continue;
    const auto m = std::move(messages.front());
    messages.pop_front();
    if (exchange_->on_message(way.first, m, hub_->now()))
      throw std::runtime_error{"a message of another hub can't be read"};
    return true;
  }
  return false;
}

void simulated_member::step_adoption() {
  if (!adopts()) return;
  if (!adoption_)
    adoption_ = std::make_unique<turn_thread>([this] { members_->membership().adopt_next(); });
  if (!adoption_->resume()) adoption_.reset();
}

void simulated_member::settle() {
  set_clock();
  for (int i = 0; i < rounds_max; ++i) {
    hub_->settle();
    bool busy = false;
    while (receive()) busy = true;
    while (step_writer()) busy = true;
    if (adopts()) busy = true;
    step_adoption();
    if (!busy) return;
  }
}

bool simulated_member::leave_if_fenced() {
  if (!fenced_) return false;
  set_clock();
  if (!std::exchange(leaves_, true)) begin_to_leave();
  if (stays_ && !entry_ && !insists_ && !is_cut_off()) join_as_entry();
  const auto until = *drain_ends_at_;
  if (!drained_ && (cluster_.now >= until || (!entry_ && cluster_.now >= joins_until_))) insist();
  if (!drained_ && !(insists_ && cluster_.now >= leaves_at_)) return false;
  if (entry_ && !is_cut_off()) cluster_.heartbeats.at(entry_id_).left = true;
  return true;
}

void simulated_member::begin_to_leave() {
  stays_ = entry_time > 0s && !insists_ && members_->has_others() && hub_->runtime().clients() > 0;
  joins_until_ = cluster_.now + (stays_ ? joins_within : 0s);
  hub_->runtime().release_games(stays_);
  exchange_->on_members({});
  known_.clear();
  if (draining()) return;
  using actors::runtime::hand_over;
  drain_ends_at_ = cluster_.now + entry_time;
  hub_->runtime().begin_drain([this] { drained_ = true; },
                              stays_ ? hand_over::of_following : hand_over::none);
}

void simulated_member::join_as_entry() {
  fake_log log{cluster_.database};
  log.open();
  entry_id_ = log.self();
  entry_ = std::make_unique<cluster::membership>(
      std::make_unique<table>(*this, entry_id_), entry_id_,
      cluster::member_actions{.games = [] { return 0; },
                              .engines = [] { return std::set<std::string>{"none"}; },
                              .adopt = [](journal::member_id) {},
                              .on_fenced = {},
                              .on_trouble = [](const std::string&) {},
                              .on_rows = [this](const auto& rows) { know(rows); }});
  exchange_->join_as(entry_id_);
  next_beat_ = cluster_.now;
}

// The time of the drain is over.
void simulated_member::insist() {
  if (std::exchange(insists_, true)) return;
  leaves_at_ = cluster_.now + farewell;
  hub_->runtime().end_games(end_reason::drained);
}

void simulated_member::begin_drain(bool secrets, std::chrono::milliseconds time) {
  using actors::runtime::hand_over;
  members_->stop_adopting();
  drain_ends_at_ = cluster_.now + time;
  auto what = hand_over::none;
  if (members_->has_others()) {
    const bool follow = !exchange_->others().empty() && !members_->takes_over();
    what = !follow   ? hand_over::of_returning
           : secrets ? hand_over::of_all
                     : hand_over::of_following;
  }
  hub_->runtime().begin_drain([this] { drained_ = true; }, what);
}

bool simulated_member::leave_if_drained() {
  if (!draining() || fenced_) return false;
  if (!drained_ && cluster_.now >= *drain_ends_at_) insist();
  if (!drained_ && !(insists_ && cluster_.now >= leaves_at_)) return false;
  settle();
  if (drained_ && !is_cut_off()) members_->membership().leave();
  return true;
}

}  // namespace gamehub::tests
