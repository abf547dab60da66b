#include "hub/app/archive/verbs.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <system_error>

#include "hub/app/archive/export.hpp"
#include "hub/app/archive/stats.hpp"
#include "hub/app/archive/verify.hpp"
#include "hub/app/plugins/supply.hpp"
#include "hub/journal/archive.hpp"

namespace gamehub::app {
namespace {

namespace fs = std::filesystem;

// Differences that are kept to be shown in JSON; the others are counted.
constexpr std::size_t differences_shown_max = 10'000;

bool person_watches() { return isatty(STDERR_FILENO) == 1; }

// One line for people that is written over until it is through.
class progress_line {
 public:
  ~progress_line() {
    if (written_) std::cerr << '\r' << std::string(width, ' ') << '\r' << std::flush;
  }

  void say(const std::string& what) {
    if (!watched_) return;
    const auto now = std::chrono::steady_clock::now();
    if (written_ && now - last_ < std::chrono::milliseconds{200}) return;
    last_ = now;
    written_ = true;
    std::cerr << '\r' << what << std::string(what.size() < width ? width - what.size() : 0, ' ')
              << std::flush;
  }

 private:
  static constexpr std::size_t width = 60;

  const bool watched_ = person_watches();
  bool written_ = false;
  std::chrono::steady_clock::time_point last_;
};

bool is_journal(const archive_request& asked) {
  std::error_code different;
  return fs::equivalent(asked.file, asked.journal, different);
}

int finish_output() {
  if (std::cout.flush()) return EXIT_SUCCESS;
  std::cerr << "gamehub: standard output can't be written.\n";
  return EXIT_FAILURE;
}

// The file appears when it is whole. What is no plain file (a pipe, a terminal) is written to.
class export_file {
 public:
  explicit export_file(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
    std::error_code ignored;
    plain_ = !fs::exists(wanted, ignored) || fs::is_regular_file(wanted, ignored);
    if (plain_) path_ += ".part";
    out_.open(path_, std::ios::binary);
    if (!out_) fail();
  }
  ~export_file() {
    std::error_code ignored;
    if (plain_ && !complete_) fs::remove(path_, ignored);
  }

  bool write(std::string_view text) {
    return bool{out_.write(text.data(), static_cast<std::streamsize>(text.size()))};
  }
  void finish() {
    out_.close();
    std::error_code error;
    if (out_ && plain_) fs::rename(path_, wanted_, error);
    if (!out_ || error) fail();
    complete_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw usage_error{"--output: " + path_.string() +
                           " can't be written: give a file for which there is leave and room"};
  }

  const fs::path wanted_;
  fs::path path_;
  std::ofstream out_;
  bool plain_ = true;
  bool complete_ = false;
};

// The engines that games may have been played with.
plugins::plugin_set engines_for(const archive_request& asked) {
  plugins::plugin_set all{asked.plugins};
  for (const auto& p : all.plugins())
    if (!p.engine) std::cerr << "gamehub: " << plugins::refusal_of(p) << '\n';
  return all;
}

int run_export(journal::archive& from, const archive_request& asked) {
  const auto all = engines_for(asked);
  const auto& engines = all.engines();
  std::vector<game_id> missing;
  auto code = EXIT_SUCCESS;
  if (asked.file.empty()) {
    missing = export_games(from, asked.games, engines,
                           [](std::string_view text) { return bool{std::cout << text}; });
    code = finish_output();
  } else {
    if (is_journal(asked))
      throw usage_error{"--output is the journal itself: give another file"};
    export_file file{asked.file};
    missing = export_games(from, asked.games, engines,
                           [&](std::string_view text) { return file.write(text); });
    file.finish();
  }
  if (!missing.empty()) throw usage_error{no_such_games(missing)};
  return code;
}

int run_stats(journal::archive& of, const archive_request& asked) {
  const auto totals = of.totals();
  std::cout << (asked.json ? stats_json(asked.journal, totals)
                           : stats_table(asked.journal, totals));
  return finish_output();
}

int run_backup(journal::archive& from, const archive_request& asked) {
  if (is_journal(asked))
    throw usage_error{"the copy can't be the journal itself: give another file"};
  {
    progress_line line;
    from.backup(asked.file, [&](double share) {
      line.say("copied " + std::to_string(static_cast<int>(100 * share)) + " %");
    });
  }
  std::error_code unknown;
  const auto bytes = fs::file_size(asked.file, unknown);
  std::cout << "copied " << asked.journal.string() << " to " << asked.file.string();
  if (!unknown) std::cout << ", " << bytes << " bytes";
  std::cout << '\n';
  return finish_output();
}

int run_forget(journal::archive& in, const archive_request& asked) {
  const auto done = asked.player ? in.forget_player(*asked.player) : in.forget_name(*asked.name);
  std::cout << "forgotten in " << done.games << (done.games == 1 ? " game\n" : " games\n");
  if (done.open > 0)
    std::cout << done.open << (done.open == 1 ? " game that is" : " games that are")
              << " open will keep it until the end: say this again then\n";
  return finish_output();
}

int run_verify(journal::archive& of, const archive_request& asked) {
  using clock = std::chrono::steady_clock;
  std::vector<difference> shown;
  progress_line line;
  const auto found = [&](const difference& what) {
    if (!asked.json)
      std::cout << in_words(what) << std::endl;
    else if (shown.size() < differences_shown_max)
      shown.push_back(what);
  };
  const auto engines = engines_for(asked);
  const auto begin = clock::now();
  const auto result = verify(of, asked.games, engines.engines(), found, [&](std::uint64_t games) {
    line.say("verified " + std::to_string(games) + " games");
  });
  const auto time = clock::now() - begin;
  std::cout << (asked.json ? summary_json(result, time, shown) : summary_text(result, time));
  const auto printed = finish_output();
  if (!result.missing.empty()) throw usage_error{no_such_games(result.missing)};
  return result.differences > 0 ? EXIT_FAILURE : printed;
}

}  // namespace

int carry_out(const archive_request& asked) {
  try {
    const auto changes = asked.what == archive_request::verb::forget;
    const auto journal = journal::open_archive(
        asked.journal, changes ? journal::access::change : journal::access::read);
    switch (asked.what) {
      case archive_request::verb::export_: return run_export(*journal, asked);
      case archive_request::verb::stats: return run_stats(*journal, asked);
      case archive_request::verb::backup: return run_backup(*journal, asked);
      case archive_request::verb::forget: return run_forget(*journal, asked);
      case archive_request::verb::verify: return run_verify(*journal, asked);
    }
  } catch (const journal::unusable_file& unusable) {
    throw usage_error{unusable.what()};
  }
  return EXIT_FAILURE;
}

}  // namespace gamehub::app
