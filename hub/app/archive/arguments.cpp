#include "hub/app/archive/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "hub/app/setting_list.hpp"
#include "hub/app/setting_sources.hpp"

namespace gamehub::app {
namespace {

using verb = archive_request::verb;

std::uint64_t whole_number(const std::string& text, const std::string& of) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n == 0)
    throw operator_mistake{shown(text) + " is no " + of + ": give its number, such as 17"};
  return n;
}

class archive_line {
 public:
  explicit archive_line(const surroundings& around) : around_(around), list_(setting_list(around)) {
    app_.require_subcommand(1);
    for (auto* each : {journal_, export_, stats_, backup_, forget_, verify_}) describe(*each);
    journal_->require_subcommand(0, 1);
    export_->add_option("GAME", games_, "games by number; without any: all of them")->type_name("");
    text(*export_, "--format", format_, "jsonl", "one JSON object a line, which is the default");
    text(*export_, "--output", output_, "FILE", "where to write; by default to standard output");
    stats_->add_flag("--json", json_, "print one JSON object");
    backup_->add_option("FILE", output_, "where the copy is to lie; replaced when it is whole")
        ->type_name("");
    text(*forget_, "--player", player_, "N", "the player with this number");
    text(*forget_, "--name", name_, "TEXT", "all players of exactly this name");
    verify_->add_option("GAME", games_, "games by number; without any: all of them")->type_name("");
    verify_->add_flag("--json", json_, "print one JSON object");
    verify_->footer("Exit code: 0 if all is well, 1 for differences or damage, 2 for a mistake.");
  }

  std::variant<archive_request, reply> read(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return reply{help(), 0};
    } catch (const CLI::ParseError& e) {
      throw operator_mistake{std::string{e.what()} + "; " + asked_name() + " --help tells more"};
    }
    refuse_extras();
    return merged();
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
    to.set_help_flag("-h,--help", "print this and exit");
    to.get_formatter()->column_width(name_columns);
    if (&to == journal_) return;
    to.allow_extras();
    add(to, named("journal"), journal_text_);
    if (plays(to)) add(to, named("plugins"), plugins_text_);
    text(to, "--config", config_text_, "FILE",
         "settings from a file, as for gamehub serve  [GAMEHUB_CONFIG]");
  }

  static void text(CLI::App& to, const std::string& flag, std::string& into,
                   const std::string& kind, const std::string& help) {
    to.add_option(flag, into, help)
        ->type_name(kind)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  // Whether the verb needs the engines that games were played with.
  bool plays(const CLI::App& asked) const { return &asked == export_ || &asked == verify_; }

  static void add(CLI::App& to, const setting& s, std::string& into) {
    text(to, s.flag(), into, s.kind, s.help + "  [" + s.variable() + "]");
  }

  const setting& named(std::string_view name) const {
    return *std::find_if(list_.begin(), list_.end(),
                         [name](const setting& each) { return each.name == name; });
  }

  // The verb as it was written: "gamehub journal export".
  std::string asked_name() const {
    if (*verify_) return "gamehub verify";
    for (const auto* each : {export_, stats_, backup_, forget_})
      if (*each) return "gamehub journal " + each->get_name();
    return "gamehub journal";
  }

  std::string help() const {
    auto out = app_.help();
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
  }

  void refuse_extras() const {
    for (const auto& each : leaves()) {
      if (!*each.app || each.app->remaining().empty()) continue;
      throw operator_mistake{shown(each.app->remaining().front()) + " is not for " + asked_name() +
                             ": leave it out, " + asked_name() + " --help lists what is"};
    }
  }

  static std::optional<std::string> given(const CLI::App& in, const std::string& flag,
                                          const std::string& value) {
    return in.get_option(flag)->count() > 0 ? std::optional{value} : std::nullopt;
  }

  archive_request merged() const {
    const auto all = leaves();
    const auto asked =
        std::find_if(all.begin(), all.end(), [](const leaf& each) { return bool{*each.app}; });
    if (asked == all.end())
      throw operator_mistake{
          "say what to do with the journal: export, stats, backup or forget; gamehub journal "
          "--help tells more"};
    archive_request out;
    out.what = asked->what;
    const auto found = settings_of(*asked->app);
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
    const setting_sources sources{around_, list_, given(asked, "--config", config_text_)};
    settings found;
    sources.take(named("journal"), given(asked, "--journal", journal_text_), found);
    if (plays(asked))
      sources.take(named("plugins"), given(asked, "--plugins", plugins_text_), found);
    sources.find_journal(found);
    if (found.journal_in == journal_kind::memory)
      throw operator_mistake{
          "the journal is set to memory, of which nothing is left to look at: say which file with "
          "--journal sqlite:PATH"};
    return found;
  }

  void check(archive_request& r) const {
    if (r.what == verb::export_ && format_ != "jsonl")
      throw operator_mistake{"--format is " + shown(format_) + ": give jsonl"};
    if (r.what == verb::backup && r.file.empty())
      throw operator_mistake{"say where the copy is to lie, as in gamehub journal backup FILE"};
    if (r.what != verb::forget) return;
    r.name = given(*forget_, "--name", name_);
    if (const auto number = given(*forget_, "--player", player_))
      r.player = player_id{whole_number(*number, "player")};
    if (r.name.has_value() == r.player.has_value())
      throw operator_mistake{"say whom to forget, with either --player N or --name TEXT"};
  }

  static constexpr std::size_t name_columns = 34;

  const surroundings& around_;
  const std::vector<setting> list_;
  std::string journal_text_, plugins_text_, config_text_, output_, player_, name_;
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
                                                   const surroundings& around) {
  try {
    return archive_line{around}.read(argc, argv);
  } catch (const operator_mistake& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
