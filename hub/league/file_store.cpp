#include "hub/league/file_store.hpp"

#include "hub/journal/sqlite_file.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "hub/league/file.hpp"
#include "hub/league/store_thread.hpp"
#include "hub/league/token.hpp"

#include <utility>

namespace gamehub::league {
namespace {

namespace sqlite = journal::sqlite;

class file_store final : public store {
 public:
  explicit file_store(const file_store_settings& s)
      : path_(created(s.file)),
        lock_(s.file, "arena"),
        thread_({[this](const auto& tasks) { return commit(tasks); }, s.log_trouble}) {
    open(s);
    thread_.start();
  }

  ~file_store() override { close(); }

  void close() override { thread_.stop(); }

  // The thread is idle: load() is the first call.
  saved load(base::wall_time ended_since) override {
    try {
      return file_->load(ended_since);
    } catch (const sqlite::error& e) {
      throw journal::unusable_file{why_unusable(path_, e)};
    }
  }

  void write(changes all) override {
    thread_.add({[this, all = std::move(all)] { file_->apply(all); }, {}});
  }

  void when_safe(std::function<void()> done) override { thread_.add({{}, std::move(done)}); }

  void find_owner(const std::string& token,
                  std::function<void(std::optional<std::string>)> answer) override {
    auto found = std::make_shared<std::optional<std::string>>();
    thread_.add(
        {[this, digest = digest_of_token(token), found] { *found = file_->owner_of(digest); },
         [found, answer = std::move(answer)] { answer(*found); }});
  }

  std::optional<std::string> trouble() const override { return thread_.trouble(); }

 private:
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

  std::optional<std::string> commit(const std::deque<store_thread::task>& all) {
    try {
      file_->begin();
      for (const auto& each : all)
        if (each.what) each.what();
      file_->commit();
      return std::nullopt;
    } catch (const sqlite::error& e) {
      file_->roll_back();
      return why_unusable(path_, e);
    }
  }

  const std::filesystem::path path_;
  const journal::file_lock lock_;
  std::optional<file> file_;
  store_thread thread_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<store> open_file_store(const file_store_settings& s) {
  return std::make_unique<file_store>(s);
}

}  // namespace gamehub::league
