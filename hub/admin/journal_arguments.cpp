#include "hub/admin/journal_arguments.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace gamehub::admin {
namespace {

std::uint64_t whole_number(const std::string& text, const std::string& of) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n == 0)
    throw base::usage_error{config::shown(text) + " is no " + of + ": give its number, such as 17"};
  return n;
}

class archive_line {
  using verb = archive_request::verb;

 public:
  explicit archive_line(const config::environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {journal_, export_, stats_, backup_, forget_, verify_}) describe(*each);
    journal_->require_subcommand(0, 1);
    export_->add_option("GAME", games_, "numbers of games; default: all games")->type_name("");
    config::add_text(*export_, "--format", format_, "jsonl",
                     "one JSON object per line, the default");
    config::add_text(*export_, "--output", output_, "FILE",
                     "output file; default: standard output");
    stats_->add_flag("--json", json_, "print one JSON object");
    backup_
        ->add_option("FILE", output_,
                     "the copy; an existing file is replaced when the copy is complete")
        ->type_name("");
    config::add_text(*forget_, "--player", player_, "N", "the player with this number");
    config::add_text(*forget_, "--name", name_, "TEXT", "all players with exactly this name");
    verify_->add_option("GAME", games_, "numbers of games; default: all games")->type_name("");
    verify_->add_flag("--json", json_, "print one JSON object");
    verify_->footer(
        "Exit code: 0 without differences, 1 for differences or damage, 2 for a mistake.");
  }

  std::variant<archive_request, config::early_exit> read(int argc, const char* const* argv) {
    const auto name = verb_name(argc, argv);
    if (auto help = config::read_line(app_, argc, argv, name)) return *help;
    const auto all = leaves();
    const auto selected =
        std::find_if(all.begin(), all.end(), [](const leaf& each) { return bool{*each.app}; });
    if (selected == all.end())
      throw base::usage_error{
          "journal: missing subcommand (export, stats, backup or forget). Example: gamehub journal "
          "stats"};
    config::refuse_extras(*selected->app, name);
    return merged(*selected);
  }

 private:
  struct leaf {
    CLI::App* app;
    verb what;
  };
  std::array<leaf, 5> leaves() const {
    return {leaf{export_, verb::export_}, leaf{stats_, verb::stats}, leaf{backup_, verb::backup},
            leaf{forget_, verb::forget}, leaf{verify_, verb::verify}};
  }

  void describe(CLI::App& to) {
    config::set_help(to, name_columns);
    if (&to == journal_) return;
    to.allow_extras();
    flags_.add(to, {"journal"});
    if (plays(to)) flags_.add(to, {"plugins"});
  }

  // True if the verb replays games, which needs their engines.
  bool plays(const CLI::App& selected) const {
    return &selected == export_ || &selected == verify_;
  }

  // The verb for errors: "gamehub journal export".
  std::string verb_name(int argc, const char* const* argv) const {
    auto out = std::string{"gamehub "} + argv[1];
    if (argc < 3 || argv[1] != journal_->get_name()) return out;
    for (const auto* each : {export_, stats_, backup_, forget_})
      if (argv[2] == each->get_name()) out += " " + each->get_name();
    return out;
  }

  archive_request merged(const leaf& selected) const {
    archive_request out;
    out.what = selected.what;
    const auto found = settings_of(*selected.app);
    out.journal = found.journal_file;
    out.plugins = found.plugins;
    out.file = output_;
    out.json = json_;
    for (const auto& each : games_) out.games.push_back({whole_number(each, "game")});
    std::sort(out.games.begin(), out.games.end());
    out.games.erase(std::unique(out.games.begin(), out.games.end()), out.games.end());
    check(out);
    return out;
  }

  config::settings settings_of(const CLI::App& selected) const {
    const auto sources = flags_.sources(selected);
    config::settings found;
    flags_.take(sources, selected, {"journal"}, found);
    if (plays(selected)) flags_.take(sources, selected, {"plugins"}, found);
    sources.find_journal(found);
    if (found.journal_in == config::journal_kind::memory)
      throw base::usage_error{
          "the journal is set to memory, which a later program can't read: give a file with "
          "--journal sqlite:PATH"};
    return found;
  }

  void check(archive_request& r) const {
    if (r.what == verb::export_ && format_ != "jsonl")
      throw base::usage_error{"--format is " + config::shown(format_) + ": give jsonl"};
    if (r.what == verb::backup && r.file.empty())
      throw base::usage_error{"missing file of the copy. Example: gamehub journal backup copy.db"};
    if (r.what != verb::forget) return;
    r.name = config::given(*forget_, "--name", name_);
    if (const auto number = config::given(*forget_, "--player", player_))
      r.player = player_id{whole_number(*number, "player")};
    if (r.name.has_value() == r.player.has_value())
      throw base::usage_error{"forget needs a player: give either --player N or --name TEXT"};
  }

  static constexpr std::size_t name_columns = 34;

  config::setting_flags flags_;
  std::string output_, player_, name_;
  std::string format_ = "jsonl";
  std::vector<std::string> games_;
  bool json_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* journal_ = app_.add_subcommand(
      "journal", "Exports, copies and cleans the log of games, also while a hub writes to it.");
  CLI::App* export_ = journal_->add_subcommand("export", "Writes games as JSON, one per line.");
  CLI::App* stats_ =
      journal_->add_subcommand("stats", "Prints the numbers of games, players and records.");
  CLI::App* backup_ =
      journal_->add_subcommand("backup", "Copies the journal in one consistent state.");
  CLI::App* forget_ = journal_->add_subcommand(
      "forget", "Removes a player's name, secret and chat from all ended games.");
  CLI::App* verify_ = app_.add_subcommand(
      "verify", "Replays logged games with their engines and reports differences.");
};

}  // namespace

std::variant<archive_request, config::early_exit> parse_archive(int argc, const char* const* argv,
                                                                const config::environment& around) {
  try {
    return archive_line{around}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::admin
