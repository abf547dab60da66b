#include "hub/league/file_store.hpp"

#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/league/file.hpp"
#include "hub/league/token.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace gamehub::league {
namespace {

namespace sqlite = journal::sqlite;

constexpr std::chrono::milliseconds retry_min{50}, retry_max{1'000};

class file_store final : public store {
 public:
  explicit file_store(const file_store_settings& s)
      : log_trouble_(s.log_trouble), path_(created(s.file)), lock_(s.file, "arena") {
    open(s);
    thread_ = std::thread{[this] { run(); }};
  }

  ~file_store() override { stop(); }

  void close() override { stop(); }

  // The thread is idle: load() is the first call.
  saved load(base::wall_time ended_since) override {
    try {
      return file_->load(ended_since);
    } catch (const sqlite::error& e) {
      throw journal::unusable_file{why_unusable(path_, e)};
    }
  }

  void write(changes all) override {
    post([all = std::move(all)](file& to) { to.apply(all); });
  }

  void when_safe(std::function<void()> done) override { add({{}, std::move(done)}); }

  void find_owner(const std::string& token,
                  std::function<void(std::optional<std::string>)> answer) override {
    auto found = std::make_shared<std::optional<std::string>>();
    add({[digest = digest_of_token(token), found](file& in) { *found = in.owner_of(digest); },
         [found, answer = std::move(answer)] { answer(*found); }});
  }

  std::optional<std::string> trouble() const override {
    const std::lock_guard lock{mutex_};
    return trouble_;
  }

 private:
  void stop() {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  // `what` runs in a transaction and may be repeated; `after` runs once after the commit.
  struct task {
    std::function<void(file&)> what;
    std::function<void()> after;
  };

  static const std::filesystem::path& created(const std::filesystem::path& path) {
    journal::make_place(path, "arena");
    return path;
  }

  void open(const file_store_settings& s) {
    try {
      file_.emplace(s.file, file::access::change, s.fsync_each_commit);
      file_->begin();
      file_->forget_fixtures(s.now - results_kept);
      file_->commit();
    } catch (const sqlite::error& e) {
      throw journal::unusable_file{why_unusable(path_, e)};
    }
  }

  void post(std::function<void(file&)> what) { add({std::move(what), {}}); }

  void add(task t) {
    {
      const std::lock_guard lock{mutex_};
      if (stopping_) return;
      tasks_.push_back(std::move(t));
    }
    changed_.notify_one();
  }

  void run() {
    for (;;) {
      std::deque<task> now;
      {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        now.swap(tasks_);
      }
      if (!run_tasks(now)) return;
      for (const auto& each : now)
        if (each.after) each.after();
    }
  }

  // Returns false if the store stops while the file can't be written.
  bool run_tasks(const std::deque<task>& all) {
    for (auto pause = retry_min;; pause = std::min(2 * pause, retry_max)) {
      try {
        file_->begin();
        for (const auto& each : all)
          if (each.what) each.what(*file_);
        file_->commit();
        note({});
        return true;
      } catch (const sqlite::error& e) {
        file_->roll_back();
        note(why_unusable(path_, e));
      }
      std::unique_lock lock{mutex_};
      if (changed_.wait_for(lock, pause, [this] { return stopping_; })) return false;
    }
  }

  void note(std::optional<std::string> trouble) {
    {
      const std::lock_guard lock{mutex_};
      if (trouble.has_value() == trouble_.has_value()) return;
      trouble_ = trouble;
    }
    if (log_trouble_) log_trouble_(trouble.value_or(""));
  }

  const std::function<void(std::string_view)> log_trouble_;
  const std::filesystem::path path_;
  const journal::file_lock lock_;
  std::optional<file> file_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<task> tasks_;
  std::optional<std::string> trouble_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<store> open_file_store(const file_store_settings& s) {
  return std::make_unique<file_store>(s);
}

}  // namespace gamehub::league
