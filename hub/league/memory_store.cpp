#include "hub/league/store.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gamehub::league {

void rows::apply(const changes& all) {
  for (const auto& b : all.bots) {
    bots[b.id] = b;
    last_bot = std::max(last_bot, bot_id{b.id});
  }
  for (const auto& f : all.fixtures) fixtures[f.id] = f;
  for (const auto id : all.withdrawn) fixtures.erase(id);
  for (const auto& r : all.ratings) ratings[{r.engine, r.who}] = r;
  for (const auto& r : all.runs) runs[r.id] = r;
  for (const auto id : all.dropped) {
    runs.erase(id);
    std::erase_if(fixtures, [&](const auto& each) { return each.second.run == id; });
  }
  for (const auto id : all.removed) {
    bots.erase(id);
    std::erase_if(failures, [&](const failure& each) { return each.who == id; });
    std::erase_if(ratings, [&](const auto& each) { return each.first.second == id; });
  }
  for (const auto& f : all.failures) {
    failures.push_back(f);
    const auto of_same = [&](const failure& each) { return each.who == f.who; };
    const auto count = std::count_if(failures.begin(), failures.end(), of_same);
    if (static_cast<std::size_t>(count) > failures_kept)
      failures.erase(std::find_if(failures.begin(), failures.end(), of_same));
  }
}

saved rows::read(base::wall_time ended_since) const {
  saved out;
  for (const auto& [id, b] : bots) out.bots.push_back(b);
  for (const auto& [id, f] : fixtures)
    if (f.state != match_state::ended || f.run || f.at >= ended_since) out.fixtures.push_back(f);
  out.failures = failures;
  for (const auto& [key, r] : ratings) out.ratings.push_back(r);
  for (const auto& [id, r] : runs) out.runs.push_back(r);
  if (!fixtures.empty()) out.last_fixture = fixtures.rbegin()->first;
  out.last_bot = last_bot;
  return out;
}

namespace {

class memory_store final : public store {
 public:
  memory_store(std::shared_ptr<rows> rows, std::map<std::string, std::string> tokens)
      : rows_(std::move(rows)), tokens_(std::move(tokens)) {}

  saved load(base::wall_time ended_since) override {
    return rows_ ? rows_->read(ended_since) : saved{};
  }

  void write(changes all) override {
    const std::lock_guard lock{mutex_};
    if (rows_) rows_->apply(all);
  }

  void when_safe(std::function<void()> done) override { done(); }

  void find_owner(const std::string& token,
                  std::function<void(std::optional<std::string>)> answer) override {
    const auto found = tokens_.find(token);
    answer(found == tokens_.end() ? std::nullopt : std::optional{found->second});
  }

  void close() override {}

  std::optional<std::string> trouble() const override { return std::nullopt; }

 private:
  std::mutex mutex_;
  const std::shared_ptr<rows> rows_;
  const std::map<std::string, std::string> tokens_;
};

}  // namespace

std::unique_ptr<store> make_memory_store(std::shared_ptr<rows> rows,
                                         std::map<std::string, std::string> tokens) {
  return std::make_unique<memory_store>(std::move(rows), std::move(tokens));
}

}  // namespace gamehub::league
