#include "hub/admin/league_arguments.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gamehub::admin {
namespace {

template <class Number>
Number whole_number(const std::string& text, const std::string& flag, Number least) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least)
    throw base::usage_error{flag + " is " + config::shown(text) + ": give a whole number, " +
                            std::to_string(least) + " or more"};
  return n;
}

class arena_line {
  using verb = arena_request::verb;

 public:
  explicit arena_line(const config::environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {token_, arena_}) {
      config::set_help(*each, name_columns);
      each->require_subcommand(1);
    }
    for (const auto& each : leaves()) {
      config::set_help(*each.app, name_columns);
      if (asks_hub(each.what))
        add_admin_flags(flags_, *each.app);
      else
        flags_.add(*each.app, {"arena", "journal"});
    }
    for (auto* each : {add_token_, revoke_token_})
      each->add_option("OWNER", owner_, "owner of the bots")->type_name("")->required();
    for (auto* each : {list_tokens_, list_bots_})
      each->add_flag("--json", json_, "print one JSON object");
    for (auto* each : {run_, show_, ratings_})
      config::add_text(*each, "--output", output_, "table|csv|json",
                       "output format; default: table");
    for (auto* each : {show_, cancel_})
      each->add_option("RUN", number_, "number of the tournament, from gamehub arena run")
          ->type_name("")
          ->required();
    backup_
        ->add_option("FILE", copy_,
                     "the copy; an existing file is replaced when the copy is complete")
        ->type_name("")
        ->required();
    describe_run();
    config::add_text(*ratings_, "--engine", engine_, "ENGINE", "only ratings of this engine");
    ratings_->add_flag("--recompute", recompute_,
                       "compute the ratings from the journal and store them; no hub may run");
  }

  std::variant<arena_request, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, verb_name(argc, argv))) return *help;
    const auto all = leaves();
    const auto selected =
        *std::find_if(all.begin(), all.end(), [](const leaf& each) { return bool{*each.app}; });
    arena_request out;
    out.what = selected.what;
    out.owner = owner_;
    out.engine = engine_;
    out.gauntlet = gauntlet_;
    out.detach = detach_;
    out.bots = bots_;
    out.recompute = recompute_;
    out.copy = copy_;
    out.as = output_of();
    if (selected.what == verb::run) check_run(out);
    if (selected.what == verb::show || selected.what == verb::cancel)
      out.run = whole_number<std::uint64_t>(number_, "RUN", 1);
    find(*selected.app, out);
    return out;
  }

 private:
  struct leaf {
    CLI::App* app;
    verb what;
  };
  std::array<leaf, 9> leaves() const {
    return {leaf{add_token_, verb::token_add},
            leaf{list_tokens_, verb::token_list},
            leaf{revoke_token_, verb::token_revoke},
            leaf{list_bots_, verb::list},
            leaf{run_, verb::run},
            leaf{show_, verb::show},
            leaf{cancel_, verb::cancel},
            leaf{ratings_, verb::ratings},
            leaf{backup_, verb::backup}};
  }

  static bool asks_hub(verb what) {
    return what == verb::list || what == verb::run || what == verb::show || what == verb::cancel;
  }

  void describe_run() {
    config::add_text(*run_, "--engine", engine_, "ENGINE", "the engine; default: tictactoe");
    config::add_text(*run_, "--games", games_, "N",
                     "games of each pair, with alternating sides; default: 2");
    run_->add_option("--bots", bots_, "bots that play; default: all online bots")
        ->type_name("NAME...");
    run_->add_flag("--gauntlet", gauntlet_,
                   "the first bot against each other one, instead of each against each");
    config::add_text(*run_, "--patience", patience_, "SECONDS",
                     "time of an offline bot before it loses its games; default: 60");
    run_->add_flag("--detach", detach_,
                   "print the number of the tournament and do not wait for its end");
    run_->footer(
        "The tournament continues without this program, also across a restart of the hub: gamehub "
        "arena show RUN prints its state.");
  }

  static std::string verb_name(int argc, const char* const* argv) {
    std::string out = "gamehub";
    for (int i = 1; i < std::min(argc, 3); ++i)
      if (argv[i][0] != '-') out += std::string{" "} + argv[i];
    return out;
  }

  arena_request::output output_of() const {
    using output = arena_request::output;
    if (json_ || output_ == "json") return output::json;
    if (output_ == "csv") return output::csv;
    if (output_ != "table")
      throw base::usage_error{"--output is " + config::shown(output_) +
                              ": give table, csv or json"};
    return output::table;
  }

  void check_run(arena_request& out) const {
    if (out.engine.empty()) out.engine = "tictactoe";
    out.games = whole_number<std::uint32_t>(games_, "--games", 1);
    out.patience = std::chrono::seconds{whole_number<std::uint32_t>(patience_, "--patience", 0)};
  }

  void find(const CLI::App& selected, arena_request& out) const {
    if (asks_hub(out.what)) {
      out.at = find_admin(flags_, selected);
      return;
    }
    const auto sources = flags_.sources(selected);
    config::settings found;
    flags_.take(sources, selected, {"arena", "journal"}, found);
    if (found.arena_file.empty() || recompute_) sources.find_journal(found);
    config::setting_sources::find_arena(found);
    if (found.arena_file.empty())
      throw base::usage_error{
          "the settings keep bots in memory, which a later program can't read: give a file with "
          "--arena PATH"};
    out.arena = found.arena_file;
    out.journal = found.journal_file;
  }

  static constexpr std::size_t name_columns = 34;

  config::setting_flags flags_;
  std::string owner_, engine_, number_, copy_;
  std::string games_ = "2", patience_ = "60", output_ = "table";
  std::vector<std::string> bots_;
  bool json_ = false, gauntlet_ = false, detach_ = false, recompute_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* token_ = app_.add_subcommand(
      "token", "Creates, lists and revokes tokens, with which owners register bots.");
  CLI::App* add_token_ =
      token_->add_subcommand("add", "Creates a token and prints it. It is not shown again.");
  CLI::App* list_tokens_ = token_->add_subcommand("list", "Lists the tokens by owner.");
  CLI::App* revoke_token_ =
      token_->add_subcommand("revoke", "Revokes all tokens of an owner: its bots can't register.");
  CLI::App* arena_ = app_.add_subcommand("arena", "Runs tournaments of bots and prints ratings.");
  CLI::App* list_bots_ =
      arena_->add_subcommand("list", "Lists the bots of a running hub and their errors.");
  CLI::App* run_ = arena_->add_subcommand("run", "Plays a tournament in a running hub.");
  CLI::App* show_ = arena_->add_subcommand("show", "Prints the standings of a tournament.");
  CLI::App* cancel_ =
      arena_->add_subcommand("cancel", "Cancels the games of a tournament that have not started.");
  CLI::App* ratings_ = arena_->add_subcommand("ratings", "Lists the ratings of all bots.");
  CLI::App* backup_ = arena_->add_subcommand(
      "backup", "Copies bots, tokens, schedule and ratings in one consistent state.");
};

}  // namespace

std::variant<arena_request, config::early_exit> parse_arena(int argc, const char* const* argv,
                                                            const config::environment& around) {
  try {
    return arena_line{around}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::admin
