#include "hub/app/arena/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

using verb = arena_request::verb;

template <class Number>
Number whole_number(const std::string& text, const std::string& flag, Number least) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least)
    throw usage_error{flag + " is " + shown(text) + ": give a whole number from " +
                           std::to_string(least) + " on"};
  return n;
}

class arena_line {
 public:
  explicit arena_line(const environment& around) : flags_(around) {
    app_.require_subcommand(1);
    for (auto* each : {token_, arena_}) {
      set_help(*each, name_columns);
      each->require_subcommand(1);
    }
    for (const auto& each : leaves()) {
      set_help(*each.app, name_columns);
      if (asks_hub(each.what))
        add_admin_flags(flags_, *each.app);
      else
        flags_.add(*each.app, {"arena", "journal"});
    }
    for (auto* each : {add_token_, revoke_token_})
      each->add_option("OWNER", owner_, "whose bots it is for")->type_name("")->required();
    for (auto* each : {list_tokens_, list_bots_})
      each->add_flag("--json", json_, "print one JSON object");
    for (auto* each : {run_, show_, ratings_})
      add_text(*each, "--output", output_, "table|csv|json", "how to print it; table by default");
    for (auto* each : {show_, cancel_})
      each->add_option("RUN", number_, "its number, as gamehub arena run told it")
          ->type_name("")
          ->required();
    backup_->add_option("FILE", copy_, "where the copy is to lie; replaced when it is whole")
        ->type_name("")
        ->required();
    describe_run();
    add_text(*ratings_, "--engine", engine_, "ENGINE", "of this one alone");
    ratings_->add_flag("--recompute", recompute_,
                       "work them out anew from the journal, and write them; no hub may run");
  }

  std::variant<arena_request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, verb_name(argc, argv))) return *help;
    const auto all = leaves();
    const auto asked =
        *std::find_if(all.begin(), all.end(), [](const leaf& each) { return bool{*each.app}; });
    arena_request out;
    out.what = asked.what;
    out.owner = owner_;
    out.engine = engine_;
    out.gauntlet = gauntlet_;
    out.detach = detach_;
    out.bots = bots_;
    out.recompute = recompute_;
    out.copy = copy_;
    out.as = output_of();
    if (asked.what == verb::run) check_run(out);
    if (asked.what == verb::show || asked.what == verb::cancel)
      out.run = whole_number<std::uint64_t>(number_, "RUN", 1);
    find(*asked.app, out);
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
    add_text(*run_, "--engine", engine_, "ENGINE", "what is played; tictactoe by default");
    add_text(*run_, "--games", games_, "N",
             "of each pair, with sides exchanged in turn; 2 by default");
    run_->add_option("--bots", bots_, "who plays; by default all that are online")
        ->type_name("NAME...");
    run_->add_flag("--gauntlet", gauntlet_,
                   "the first bot against each other one, and not each against each");
    add_text(*run_, "--patience", patience_, "SECONDS",
             "for a bot that is away, before it loses its games; 60 by default");
    run_->add_flag("--detach", detach_, "print its number, and do not wait for its end");
    run_->footer(
        "It goes on without whoever watches it, also through a restart of the hub: gamehub arena "
        "show RUN looks at it again.");
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
      throw usage_error{"--output is " + shown(output_) + ": give table, csv or json"};
    return output::table;
  }

  void check_run(arena_request& out) const {
    if (out.engine.empty()) out.engine = "tictactoe";
    out.games = whole_number<std::uint32_t>(games_, "--games", 1);
    out.patience = std::chrono::seconds{whole_number<std::uint32_t>(patience_, "--patience", 0)};
  }

  void find(const CLI::App& asked, arena_request& out) const {
    if (asks_hub(out.what)) {
      out.at = find_admin(flags_, asked);
      return;
    }
    const auto sources = flags_.sources(asked);
    settings found;
    flags_.take(sources, asked, {"arena", "journal"}, found);
    if (found.arena_file.empty() || recompute_) sources.find_journal(found);
    setting_sources::find_arena(found);
    if (found.arena_file.empty())
      throw usage_error{
          "the settings keep bots in memory, of which nothing is left to look at: say which file "
          "with --arena PATH"};
    out.arena = found.arena_file;
    out.journal = found.journal_file;
  }

  static constexpr std::size_t name_columns = 34;

  setting_flags flags_;
  std::string owner_, engine_, number_, copy_;
  std::string games_ = "2", patience_ = "60", output_ = "table";
  std::vector<std::string> bots_;
  bool json_ = false, gauntlet_ = false, detach_ = false, recompute_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* token_ =
      app_.add_subcommand("token", "Makes and revokes what owners of bots show to register them.");
  CLI::App* add_token_ = token_->add_subcommand("add", "Makes a token, and prints it this once.");
  CLI::App* list_tokens_ = token_->add_subcommand("list", "Says whose tokens there are.");
  CLI::App* revoke_token_ = token_->add_subcommand(
      "revoke", "Revokes all tokens of an owner, whose bots can register no more.");
  CLI::App* arena_ =
      app_.add_subcommand("arena", "Lets bots play tournaments, and says how strong they are.");
  CLI::App* list_bots_ =
      arena_->add_subcommand("list", "Lists the bots of a running hub, and what they did wrong.");
  CLI::App* run_ = arena_->add_subcommand("run", "Plays a tournament in a running hub.");
  CLI::App* show_ = arena_->add_subcommand("show", "Says how a tournament stands.");
  CLI::App* cancel_ =
      arena_->add_subcommand("cancel", "Takes back what of a tournament has not begun.");
  CLI::App* ratings_ = arena_->add_subcommand("ratings", "Lists the ratings of all bots.");
  CLI::App* backup_ = arena_->add_subcommand(
      "backup", "Copies bots, tokens, schedule and ratings, as of one moment.");
};

}  // namespace

std::variant<arena_request, reply> parse_arena(int argc, const char* const* argv,
                                               const environment& around) {
  try {
    return arena_line{around}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
