#include "hub/league/postgres/cluster_store.hpp"

#include "hub/league/file_store.hpp"
#include "hub/league/postgres/league_tables.hpp"
#include "hub/league/store_thread.hpp"
#include "hub/league/token.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::league::postgres {
namespace {

constexpr connection::limits league_limits{std::chrono::seconds{2}, std::chrono::seconds{5}};
constexpr std::chrono::seconds look_pause{1};

class postgres_store final : public cluster_store {
 public:
  explicit postgres_store(cluster_store_settings s)
      : settings_(std::move(s)),
        thread_({[this](const auto& tasks) { return commit(tasks); }, settings_.log_trouble,
                 [this] { look(); }, look_pause}) {}

  ~postgres_store() override { close(); }

  void start(watcher w) override {
    watcher_ = std::move(w);
    thread_.start();
  }

  void close() override { thread_.stop(); }

  saved load(base::wall_time ended_since) override {
    return has_league_ ? postgres::load(*connection_, ended_since) : saved{};
  }

  // Without the league nothing is decided here.
  void write(changes all) override {
    if (has_league_)
      thread_.add({[this, all = std::move(all)] { send_changes(*connection_, all); }, {}});
  }

  void when_safe(std::function<void()> done) override { thread_.add({{}, std::move(done)}); }

  void find_owner(const std::string& token,
                  std::function<void(std::optional<std::string>)> answer) override {
    auto asked = std::make_shared<lookup>();
    asked->digest = digest_of_token(token);
    {
      const std::lock_guard lock{mutex_};
      lookups_.push_back(asked);
    }
    thread_.add({{}, [asked, answer = std::move(answer)] { answer(asked->owner); }});
  }

  std::optional<std::string> trouble() const override { return thread_.trouble(); }

 private:
  struct lookup {
    std::string digest;
    std::optional<std::string> owner;
  };

  void connect() {
    if (connection_) return;
    auto made = std::make_unique<connection>(settings_.target, league_limits);
    prepare(*made);
    connection_ = std::move(made);
  }

  std::optional<std::string> commit(const std::deque<store_thread::task>& all) {
    try {
      connect();
      look_up();
      const bool changes =
          std::any_of(all.begin(), all.end(), [](const auto& t) { return t.what; });
      return changes ? change(all) : std::nullopt;
    } catch (const std::exception& e) {
      connection_.reset();
      return e.what();
    }
  }

  std::optional<std::string> change(const std::deque<store_thread::task>& all) {
    connection_->send("BEGIN");
    send_check(*connection_, settings_.self);
    for (const auto& each : all)
      if (each.what) each.what();
    connection_->send("COMMIT");
    const auto done = connection_->finish();
    if (!done.failed && !done.warned) return std::nullopt;
    // What the connection was left in is not known.
    connection_.reset();
    if (!done.failed) return "the commit is not on the standby";
    if (done.why.sqlstate() == not_owner) return "another hub has the arena of the cluster";
    return done.why.what();
  }

  // A token that is looked up is answered also by a hub that can write nothing.
  void look_up() {
    std::vector<std::shared_ptr<lookup>> asked;
    {
      const std::lock_guard lock{mutex_};
      asked = lookups_;
    }
    for (const auto& each : asked) each->owner = owner_of(*connection_, each->digest);
    const std::lock_guard lock{mutex_};
    lookups_.erase(lookups_.begin(), lookups_.begin() + static_cast<std::ptrdiff_t>(asked.size()));
  }

  void look() {
    if (has_league_) return;
    std::string why;
    watcher_.if_idle([&] {
      try {
        connect();
        take(claim(*connection_, settings_.self));
      } catch (const std::exception& e) {
        connection_.reset();
        has_league_ = false;
        why = e.what();
      }
    });
    if (why.empty() != std::exchange(fails_, !why.empty())) return;
    settings_.log_trouble(why);
  }

  void take(std::optional<member_id> owner) {
    if (owner == settings_.self) {
      forget_matches(*connection_, settings_.now - results_kept);
      has_league_ = true;
    } else if (owner == owner_) {
      return;
    }
    owner_ = owner;
    watcher_.on_owner(owner, has_league_);
  }

  const cluster_store_settings settings_;
  watcher watcher_;
  std::atomic<bool> has_league_{false};
  // Of the thread:
  std::unique_ptr<connection> connection_;
  std::optional<member_id> owner_;
  bool fails_ = false;  // the latest look

  std::mutex mutex_;
  std::vector<std::shared_ptr<lookup>> lookups_;  // guarded by the mutex

  store_thread thread_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<cluster_store> make_cluster_store(cluster_store_settings s) {
  return std::make_unique<postgres_store>(std::move(s));
}

}  // namespace gamehub::league::postgres
