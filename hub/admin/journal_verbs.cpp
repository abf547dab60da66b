#include "hub/admin/journal_verbs.hpp"

#include "hub/admin/journal_export.hpp"
#include "hub/admin/journal_stats.hpp"
#include "hub/admin/journal_verify.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "hub/journal/archive.hpp"
#include "hub/journal/postgres/postgres_archive.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/moderation/postgres/postgres_sanctions.hpp"
#include "hub/moderation/sanction_file.hpp"
#include "hub/plugins/plugin_set.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace gamehub::admin {
namespace {

namespace fs = std::filesystem;

// Differences in the JSON output; further ones are only counted.
constexpr std::size_t differences_shown_max = 10'000;

bool is_interactive() { return isatty(STDERR_FILENO) == 1; }

// A progress line on a terminal. It is overwritten by each update and cleared at the end.
class progress_line {
 public:
  ~progress_line() {
    if (written_) std::cerr << '\r' << std::string(width, ' ') << '\r' << std::flush;
  }

  void show(const std::string& what) {
    if (!enabled_) return;
    const auto now = std::chrono::steady_clock::now();
    if (written_ && now - last_ < std::chrono::milliseconds{200}) return;
    last_ = now;
    written_ = true;
    std::cerr << '\r' << what << std::string(what.size() < width ? width - what.size() : 0, ' ')
              << std::flush;
  }

 private:
  static constexpr std::size_t width = 60;

  const bool enabled_ = is_interactive();
  bool written_ = false;
  std::chrono::steady_clock::time_point last_;
};

bool is_journal(const archive_request& request) {
  std::error_code different;
  return fs::equivalent(request.file, request.journal, different);
}

int finish_output() { return config::print(""); }

// Writes to a temporary file that is renamed when it is complete. A pipe or a terminal is written
// directly.
class export_file {
 public:
  explicit export_file(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
    std::error_code ignored;
    plain_ = !fs::exists(wanted, ignored) || fs::is_regular_file(wanted, ignored);
    if (plain_) path_ += ".part";
    // The file has names and chat: only its owner may read it.
    if (plain_) {
      const auto made = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      if (made < 0 || fchmod(made, 0600) != 0) fail();
      close(made);
    }
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
    throw base::usage_error{
        "--output: " + path_.string() +
        " can't be written: give a file on a disk with space and write permission"};
  }

  const fs::path wanted_;
  fs::path path_;
  std::ofstream out_;
  bool plain_ = true;
  bool complete_ = false;
};

// The engines for replays.
plugins::plugin_set engines_for(const archive_request& request) {
  plugins::plugin_set all{request.plugins, request.programs};
  for (const auto& p : all.plugins())
    if (!p.engine) std::cerr << "gamehub: " << plugins::refusal_of(p) << '\n';
  return all;
}

int run_export(journal::archive& from, const archive_request& request) {
  const auto all = engines_for(request);
  const auto& engines = all.engines();
  std::vector<game_id> missing;
  auto code = EXIT_SUCCESS;
  if (request.file.empty()) {
    missing = export_games(from, request.games, engines,
                           [](std::string_view text) { return bool{std::cout << text}; });
    code = finish_output();
  } else {
    if (is_journal(request))
      throw base::usage_error{"--output is the journal itself: give another file"};
    export_file file{request.file};
    missing = export_games(from, request.games, engines,
                           [&](std::string_view text) { return file.write(text); });
    file.finish();
  }
  if (!missing.empty()) throw base::usage_error{no_such_games(missing, request.journal)};
  return code;
}

int run_stats(journal::archive& of, const archive_request& request) {
  const auto totals = of.totals();
  std::cout << (request.json ? stats_json(request.journal, totals)
                             : stats_table(request.journal, totals));
  return finish_output();
}

int run_backup(journal::archive& from, const archive_request& request) {
  if (is_journal(request))
    throw base::usage_error{"the copy can't be the journal itself: give another file"};
  {
    progress_line line;
    from.backup(request.file, [&](double share) {
      line.show("copied " + std::to_string(static_cast<int>(100 * share)) + " %");
    });
  }
  std::error_code unknown;
  const auto bytes = fs::file_size(request.file, unknown);
  std::cout << "copied " << request.journal.string() << " to " << request.file.string();
  if (!unknown) std::cout << ", " << bytes << " bytes";
  std::cout << '\n';
  return finish_output();
}

// A file of bans and mutes is JSON.
bool has_sanctions(const fs::path& file) {
  std::ifstream in{file};
  return (in >> std::ws).peek() == '{';
}

int import_sanctions(const archive_request& request, const std::vector<moderation::sanction>& all) {
  const auto added = moderation::postgres::import_sanctions(request.cluster, all);
  std::cout << "imported " << added << " of " << all.size() << " bans and mutes"
            << (added == all.size() ? "\n" : ": the cluster has the others\n");
  return finish_output();
}

// Of a journal also the file of bans and mutes that is beside it by default.
int run_import(const archive_request& request) {
  if (has_sanctions(request.file))
    return import_sanctions(request, moderation::read_sanctions(request.file));
  auto beside = request.file;
  beside += ".moderation";
  std::error_code ignored;
  std::vector<moderation::sanction> sanctions;
  if (fs::exists(beside, ignored)) sanctions = moderation::read_sanctions(beside);
  journal::postgres::imported done;
  {
    progress_line line;
    done = journal::postgres::import_file(request.cluster, request.file, [&](std::uint64_t games) {
      line.show("imported " + std::to_string(games) + " games");
    });
  }
  std::cout << "imported " << done.ended << " ended and " << done.open << " open games\n";
  return sanctions.empty() ? finish_output() : import_sanctions(request, sanctions);
}

int run_upgrade(const archive_request& request) {
  const auto done = journal::postgres::raise_record_format(request.cluster);
  std::cout << (done.raised ? "all hubs of the cluster write record format "
                            : "nothing to do: all hubs of the cluster write record format ")
            << done.format << (done.raised ? " from now on\n" : "\n");
  return finish_output();
}

int run_forget(journal::archive& in, const archive_request& request) {
  const auto done =
      request.player ? in.forget_player(*request.player) : in.forget_name(*request.name);
  std::cout << "forgotten in " << done.games << (done.games == 1 ? " game\n" : " games\n");
  if (done.open > 0)
    std::cout << done.open << (done.open == 1 ? " game that is" : " games that are")
              << " open will keep it until the end: repeat the command then\n";
  return finish_output();
}

int run_verify(journal::archive& of, const archive_request& request) {
  using clock = std::chrono::steady_clock;
  std::vector<difference> shown;
  progress_line line;
  const auto found = [&](const difference& what) {
    if (!request.json)
      std::cout << in_words(what) << std::endl;
    else if (shown.size() < differences_shown_max)
      shown.push_back(what);
  };
  const auto engines = engines_for(request);
  const auto begin = clock::now();
  const auto result = verify(of, request.games, engines.engines(), found, [&](std::uint64_t games) {
    line.show("verified " + std::to_string(games) + " games");
  });
  const auto time = clock::now() - begin;
  const auto refuse_missing = [&] {
    if (!result.missing.empty())
      throw base::usage_error{no_such_games(result.missing, request.journal)};
  };
  // Nothing was verified, so there is nothing to sum up.
  if (result.games == 0 && result.differences == 0) refuse_missing();
  std::cout << (request.json ? summary_json(result, time, shown) : summary_text(result, time));
  const auto printed = finish_output();
  refuse_missing();
  return result.differences > 0 ? EXIT_FAILURE : printed;
}

using archive_verb = archive_request::verb;

// For verbs that replay games, which needs their engines.
void add_replay_options(config::verb& to, archive_request& r) {
  to.uses_settings.insert(to.uses_settings.end(), {"plugins", "engine", "sandbox", "sandbox-read"});
  auto& games = to.text("GAME", "", "numbers of games; default: all games", "",
                        "the number of a game, such as 17", [&r](std::string_view text) {
                          const auto n = config::number_in<std::uint64_t>(text, 1, UINT64_MAX);
                          if (n) r.games.push_back({*n});
                          return n.has_value();
                        });
  games.list = true;
}

void add_forget_options(config::verb& to, archive_request& r) {
  to.text("player", "N", "the player with this number", "", "the number of a player, such as 17",
          [&r](std::string_view text) {
            const auto n = config::number_in<std::uint64_t>(text, 1, UINT64_MAX);
            if (n) r.player = player_id{*n};
            return n.has_value();
          });
  to.text("name", "TEXT", "all players with exactly this name", "", "the name of a player",
          [&r](std::string_view text) {
            r.name = text;
            return true;
          });
}

void complete_archive(archive_request& r, config::settings& found) {
  if (r.what == archive_verb::import_ || r.what == archive_verb::upgrade) {
    if (found.cluster.empty())
      throw base::usage_error{std::string{r.what == archive_verb::import_ ? "import" : "upgrade"} +
                              " needs a database: give --cluster"};
    r.cluster = found.cluster;
    return;
  }
  config::find_journal(found);
  if (found.cluster.empty() && found.journal_in == config::journal_kind::memory)
    throw base::usage_error{
        "the journal is set to memory, which a later program can't read: give a file with "
        "--journal sqlite:PATH"};
  r.cluster = found.cluster;
  r.journal = r.cluster.empty() ? found.journal_file : "the cluster's database";
  r.plugins = found.plugins;
  r.programs = found.programs;
  std::sort(r.games.begin(), r.games.end());
  r.games.erase(std::unique(r.games.begin(), r.games.end()), r.games.end());
  if (r.what == archive_verb::forget && r.name.has_value() == r.player.has_value())
    throw base::usage_error{"forget needs a player: give either --player N or --name TEXT"};
}

}  // namespace

void add_journal_verbs(config::verb& to, std::function<int(const archive_request&)> run) {
  const config::request_verbs<archive_request> verbs{complete_archive, std::move(run)};
  auto& r = *verbs.request;
  auto& journal = to.add(
      "journal", "Exports, copies and cleans the log of games, also while a hub writes to it.");
  auto& games =
      verbs.add(journal, "export", "Writes games as JSON, one per line.", archive_verb::export_);
  games.text("format", "jsonl", "one JSON object per line", "jsonl", "jsonl",
             [](std::string_view text) { return text == "jsonl"; });
  games.path("output", "FILE", "output file; default: standard output", r.file);
  auto& stats = verbs.add(journal, "stats", "Prints the numbers of games, players and records.",
                          archive_verb::stats);
  auto& backup = verbs.add(journal, "backup", "Copies the journal in one consistent state.",
                           archive_verb::backup);
  backup
      .path("FILE", "", "the copy; an existing file is replaced when the copy is complete", r.file)
      .required = true;
  auto& forget =
      verbs.add(journal, "forget", "Removes a player's name, secret and chat from all ended games.",
                archive_verb::forget);
  add_forget_options(forget, r);
  auto& verify =
      verbs.add(to, "verify", "Replays logged games with their engines and reports differences.",
                archive_verb::verify);
  verify.footer = "Exit code: 0 without differences, 1 for differences or damage, 2 for a mistake.";
  auto& cluster =
      to.group_of_verbs("cluster", "Shows the hubs that share a database, and fills it.");
  auto& importing =
      verbs.add(cluster, "import",
                "Copies the file of a journal into a database that no hub has used yet, or a file "
                "of bans and mutes into any.",
                archive_verb::import_);
  importing
      .path("FILE", "",
            "the file of the journal, which no hub uses, and the bans and mutes in "
            "FILE.moderation; or a file of bans and mutes",
            r.file)
      .required = true;
  importing.uses_settings = {"cluster"};
  verbs
      .add(cluster, "upgrade",
           "Lets all hubs write the latest format of records, when each of them reads it. Hubs of "
           "earlier versions can't join any more.",
           archive_verb::upgrade)
      .uses_settings = {"cluster"};
  for (auto* each : {&stats, &verify}) each->flag("json", "print one JSON object", r.json);
  for (auto* each : {&games, &stats, &backup, &forget, &verify})
    each->uses_settings = {"journal", "cluster"};
  for (auto* each : {&games, &verify}) add_replay_options(*each, r);
}

namespace {

std::unique_ptr<journal::archive> open(const archive_request& request) {
  if (!request.cluster.empty()) return journal::postgres::open_archive(request.cluster);
  const auto changes = request.what == archive_request::verb::forget;
  return journal::open_archive(request.journal,
                               changes ? journal::access::change : journal::access::read);
}

}  // namespace

int carry_out(const archive_request& request) {
  try {
    if (request.what == archive_request::verb::import_) return run_import(request);
    if (request.what == archive_request::verb::upgrade) return run_upgrade(request);
    const auto journal = open(request);
    switch (request.what) {
      case archive_request::verb::export_: return run_export(*journal, request);
      case archive_request::verb::stats: return run_stats(*journal, request);
      case archive_request::verb::backup: return run_backup(*journal, request);
      case archive_request::verb::forget: return run_forget(*journal, request);
      case archive_request::verb::verify: return run_verify(*journal, request);
      case archive_request::verb::import_:
      case archive_request::verb::upgrade: break;
    }
  } catch (const journal::unusable_log& unusable) {
    throw base::usage_error{unusable.what()};
  }
  return EXIT_FAILURE;
}

}  // namespace gamehub::admin
