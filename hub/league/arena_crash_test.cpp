// Plays everybody against everybody in a hub that is killed again and again: in an order drawn from
// a seed, on a clock of its own, with a store that loses what it has not yet written. Nothing may
// be lost, nothing played twice. A failure names its seed.
#include "hub/league/arena.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <set>

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;

// Writes when it is told to; what it was not told in time goes with it.
class late_store final : public store {
 public:
  explicit late_store(std::shared_ptr<rows> written) : written_(std::move(written)) {}

  saved load(base::wall_time since) override { return written_->read(since); }
  void write(changes all) override { waiting_.push_back(std::move(all)); }
  void when_safe(std::function<void()> done) override {
    if (waiting_.empty()) return done();
    done_.emplace_back(waiting_.size(), std::move(done));
  }
  void find_owner(const std::string& token,
                  std::function<void(std::optional<std::string>)> answer) override {
    answer(token);
  }
  void close() override {}
  std::optional<std::string> trouble() const override { return std::nullopt; }

  void write_some(std::size_t count) {
    count = std::min(count, waiting_.size());
    for (std::size_t i = 0; i < count; ++i) written_->apply(waiting_[i]);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::function<void()>> safe;
    for (auto& [after, done] : done_) {
      after -= std::min(after, count);
      if (after == 0) safe.push_back(std::move(done));
    }
    std::erase_if(done_, [](const auto& each) { return each.first == 0; });
    for (const auto& each : safe) each();
  }
  void write_all() {
    while (!waiting_.empty()) write_some(waiting_.size());
  }

 private:
  std::shared_ptr<rows> written_;
  std::vector<changes> waiting_;
  std::vector<std::pair<std::size_t, std::function<void()>>> done_;
};

// The hub's games and their journal, which outlives it; and the bots, which do, too.
class world {
 public:
  world(std::uint64_t seed, std::uint64_t bots, std::uint64_t crashes)
      : chance_(seed), bots_(bots), crashes_(crashes) {
    begin();
    for (std::uint64_t n = 0; n < bots_; ++n) to_register_.insert("bot " + std::to_string(n));
  }

  // Until nothing is left to do; false if that never comes.
  bool play() {
    for (int turn = 0; turn < 1'000'000; ++turn) {
      if (is_over()) {
        store_->write_all();
        return true;
      }
      step();
    }
    return false;
  }

  // What is wrong at the end; nothing: all is well.
  std::string verdict() const {
    std::map<std::pair<std::string, std::string>, int> met;
    for (const auto& [id, g] : journal_)
      if (g.how && g.how->why == end_reason::rules) ++met[{g.names[0], g.names[1]}];
    if (met.size() != bots_ * (bots_ - 1)) return std::to_string(met.size()) + " pairs played";
    for (const auto& [names, count] : met)
      if (count != 1)
        return names.first + " and " + names.second + " played " + std::to_string(count);
    std::size_t ended = 0;
    for (const auto& [id, f] : written_->fixtures)
      if (f.state == match_state::ended && f.got) ++ended;
    return ended == met.size() ? "" : std::to_string(ended) + " results";
  }

  int crashes() const { return crashed_; }

 private:
  struct game {
    std::array<std::string, 2> names;
    base::wall_time opened{};
    std::optional<match_end> how;
  };

  void begin() {
    arena_.reset();
    store_ = std::make_unique<late_store>(written_);
    arena_ = std::make_unique<arena>(
        *store_, std::make_unique<base::seeded_entropy>(chance_.next()), arena_settings{}, now_);
    // Some games do not come through a restart: nobody's loss.
    // Not so often for one pair that the arena would give it up.
    for (auto& [id, g] : journal_)
      if (!g.how && chance_.below(10) == 0 && ++interruptions_[g.names] < openings_max)
        g.how = match_end{end_reason::interrupted, {}};
    opening_.clear();
    placed_.clear();
    running_.clear();
    std::vector<journal_game> lately;
    for (const auto& [id, g] : journal_) {
      const match_outcome outcome{!g.how, g.how};
      lately.push_back({id, g.names, g.opened, outcome});
      if (outcome.runs) running_.push_back(id);
    }
    arena_->record_result(
        [this](game_id id) {
          const auto found = journal_.find(id);
          if (found == journal_.end()) return match_outcome{};
          return match_outcome{!found->second.how, found->second.how};
        },
        lately, now_);
    to_answer_.clear();
    for (const auto& b : arena_->expected()) to_answer_.push_back(b);
  }

  void crash() {
    ++crashed_;
    begin();
  }

  bool is_over() const {
    if (!to_register_.empty() || !to_answer_.empty() || crashes_ > 0) return false;
    const auto n = arena_->count();
    return n.waiting == 0 && n.running == 0 && opening_.empty() && placed_.empty();
  }

  template <class Of>
  std::size_t any(const Of& all) {
    return static_cast<std::size_t>(chance_.below(all.size()));
  }

  void step() {
    now_ += std::chrono::milliseconds{chance_.below(5)};
    switch (chance_.below(8)) {
      case 0: return register_one();
      case 1: return answer_one();
      case 2:
        for (auto& each : arena_->next_matches(now_, 1 + chance_.below(4)))
          opening_.push_back(each);
        return;
      case 3: return open_one();
      case 4: return tell_one();
      case 5:
      case 6: return end_one();
      default: break;
    }
    if (chance_.below(3) != 0) {
      store_->write_some(1 + chance_.below(8));
    } else if (crashes_ > 0 && chance_.below(20) == 0) {
      --crashes_;
      crash();
    } else if (crashes_ == 0) {
      store_->write_all();
    }
  }

  // A bot that got no answer asks again; one that did may start anew, too.
  void register_one() {
    if (to_register_.empty()) return;
    const auto name = *to_register_.begin();
    arena_->register_bot({name, "1", "tictactoe", "http://h/"}, {"ann"}, now_,
                         [this, name](const registered& said) {
                           to_answer_.push_back(std::get<bot_record>(said));
                           if (chance_.below(20) != 0) to_register_.erase(name);
                         });
  }

  void answer_one() {
    if (to_answer_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(any(to_answer_));
    const auto ref = to_answer_[static_cast<std::size_t>(at)];
    to_answer_.erase(to_answer_.begin() + at);
    arena_->on_online(ref, now_);
  }

  // The hub begins the game, and the first bot hears of it later; or there was no room for it.
  void open_one() {
    if (opening_.empty()) return;
    const auto p = opening_.back();
    opening_.pop_back();
    if (chance_.below(10) == 0) return arena_->game_not_opened(p.id, now_);
    const game_id id{++last_game_};
    journal_[id] = {{name_of(p.bots[0]), name_of(p.bots[1])}, now_, {}};
    running_.push_back(id);
    placed_.emplace_back(id, p.id);
  }

  void tell_one() {
    if (placed_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(any(placed_));
    const auto [id, fixture] = placed_[static_cast<std::size_t>(at)];
    placed_.erase(placed_.begin() + at);
    arena_->game_opened(fixture, id, now_);
    if (const auto& how = journal_.at(id).how) arena_->game_ended(id, *how, now_);
  }

  // Both bots hear of the end, the second one perhaps before the first hears of the beginning.
  void end_one() {
    if (running_.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(any(running_));
    const auto id = running_[static_cast<std::size_t>(at)];
    running_.erase(running_.begin() + at);
    const match_end how{end_reason::rules, seat_index{static_cast<int>(chance_.below(2))}};
    journal_.at(id).how = how;
    arena_->game_ended(id, how, now_);
    if (chance_.below(2) == 0) arena_->game_ended(id, how, now_);
  }

  std::string name_of(bot_id id) const { return arena_->find(id)->name; }

  base::seeded_entropy chance_;
  const std::uint64_t bots_;
  std::uint64_t crashes_;
  int crashed_ = 0;
  base::wall_time now_{24h};
  std::shared_ptr<rows> written_ = std::make_shared<rows>();
  std::unique_ptr<late_store> store_;
  std::unique_ptr<arena> arena_;
  std::map<game_id, game> journal_;
  std::map<std::array<std::string, 2>, std::uint32_t> interruptions_;
  std::vector<game_id> running_;
  std::uint64_t last_game_ = 0;
  std::set<std::string> to_register_;
  std::vector<bot_ref> to_answer_;
  std::vector<scheduled_match> opening_;
  std::vector<std::pair<game_id, match_id>> placed_;
};

TEST_CASE("arena: a hub that is killed again and again loses no game and plays none twice") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    world w{seed, 2 + seed % 7, seed % 12};
    REQUIRE(w.play());
    REQUIRE(w.verdict() == "");
  }
}

TEST_CASE("arena: fifty bots play their 2,450 games through twenty kills") {
  world w{50, 50, 20};
  REQUIRE(w.play());
  CHECK(w.verdict() == "");
  CHECK(w.crashes() == 20);
}

}  // namespace
}  // namespace gamehub::league
