#include "hub/app/archive/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

using verb = archive_request::verb;

std::uint64_t whole_number(const std::string& text, const std::string& of) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n == 0)
    throw usage_error{shown(text) + " is no " + of + ": give its number, such as 17"};
  return n;
}

class archive_line {
 public:
  explicit archive_line(const environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {journal_, export_, stats_, backup_, forget_, verify_}) describe(*each);
    journal_->require_subcommand(0, 1);
    export_->add_option("GAME", games_, "games by number; without any: all of them")->type_name("");
    add_text(*export_, "--format", format_, "jsonl",
             "one JSON object a line, which is the default");
    add_text(*export_, "--output", output_, "FILE",
             "where to write; by default to standard output");
    stats_->add_flag("--json", json_, "print one JSON object");
    backup_->add_option("FILE", output_, "where the copy is to lie; replaced when it is whole")
        ->type_name("");
    add_text(*forget_, "--player", player_, "N", "the player with this number");
    add_text(*forget_, "--name", name_, "TEXT", "all players of exactly this name");
    verify_->add_option("GAME", games_, "games by number; without any: all of them")->type_name("");
    verify_->add_flag("--json", json_, "print one JSON object");
    verify_->footer("Exit code: 0 if all is well, 1 for differences or damage, 2 for a mistake.");
  }

  std::variant<archive_request, reply> read(int argc, const char* const* argv) {
    const auto name = verb_name(argc, argv);
    if (auto help = read_line(app_, argc, argv, name)) return *help;
    const auto all = leaves();
    const auto asked =
        std::find_if(all.begin(), all.end(), [](const leaf& each) { return bool{*each.app}; });
    if (asked == all.end())
      throw usage_error{
          "say what to do with the journal: export, stats, backup or forget; gamehub journal "
          "--help tells more"};
    refuse_extras(*asked->app, name);
    return merged(*asked);
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
    set_help(to, name_columns);
    if (&to == journal_) return;
    to.allow_extras();
    flags_.add(to, {"journal"});
    if (plays(to)) flags_.add(to, {"plugins"});
  }

  // Whether the verb needs the engines that games were played with.
  bool plays(const CLI::App& asked) const { return &asked == export_ || &asked == verify_; }

  // The verb as it was written: "gamehub journal export".
  std::string verb_name(int argc, const char* const* argv) const {
    auto out = std::string{"gamehub "} + argv[1];
    if (argc < 3 || argv[1] != journal_->get_name()) return out;
    for (const auto* each : {export_, stats_, backup_, forget_})
      if (argv[2] == each->get_name()) out += " " + each->get_name();
    return out;
  }

  archive_request merged(const leaf& asked) const {
    archive_request out;
    out.what = asked.what;
    const auto found = settings_of(*asked.app);
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

  settings settings_of(const CLI::App& asked) const {
    const auto sources = flags_.sources(asked);
    settings found;
    flags_.take(sources, asked, {"journal"}, found);
    if (plays(asked)) flags_.take(sources, asked, {"plugins"}, found);
    sources.find_journal(found);
    if (found.journal_in == journal_kind::memory)
      throw usage_error{
          "the journal is set to memory, of which nothing is left to look at: say which file with "
          "--journal sqlite:PATH"};
    return found;
  }

  void check(archive_request& r) const {
    if (r.what == verb::export_ && format_ != "jsonl")
      throw usage_error{"--format is " + shown(format_) + ": give jsonl"};
    if (r.what == verb::backup && r.file.empty())
      throw usage_error{"say where the copy is to lie, as in gamehub journal backup FILE"};
    if (r.what != verb::forget) return;
    r.name = given(*forget_, "--name", name_);
    if (const auto number = given(*forget_, "--player", player_))
      r.player = player_id{whole_number(*number, "player")};
    if (r.name.has_value() == r.player.has_value())
      throw usage_error{"say whom to forget, with either --player N or --name TEXT"};
  }

  static constexpr std::size_t name_columns = 34;

  setting_flags flags_;
  std::string output_, player_, name_;
  std::string format_ = "jsonl";
  std::vector<std::string> games_;
  bool json_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* journal_ = app_.add_subcommand(
      "journal", "Looks into the log of games and keeps it, also while a hub writes to it.");
  CLI::App* export_ = journal_->add_subcommand("export", "Writes games as JSON, one a line.");
  CLI::App* stats_ = journal_->add_subcommand("stats", "Says how much there is of what.");
  CLI::App* backup_ = journal_->add_subcommand("backup", "Copies the journal, as of one moment.");
  CLI::App* forget_ = journal_->add_subcommand(
      "forget", "Takes a player's name, secret and chat out of all games that have ended.");
  CLI::App* verify_ = app_.add_subcommand(
      "verify", "Plays logged games again, with the engines they were played with, and compares.");
};

}  // namespace

std::variant<archive_request, reply> parse_archive(int argc, const char* const* argv,
                                                   const environment& around) {
  try {
    return archive_line{around}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
