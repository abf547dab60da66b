#include "hub/app/settings.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "hub/app/setting_list.hpp"
#include "hub/app/setting_sources.hpp"
#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

bool same_place(const std::string& one, const std::string& other) {
  const auto anywhere = [](const std::string& address) {
    return address == "0.0.0.0" || address == "::";
  };
  return one == other || anywhere(one) || anywhere(other);
}

// What no single setting shows.
void check_together(const settings& s) {
  std::map<std::uint16_t, std::string> taken;
  auto none = true;
  for (const auto& [name, wire] : s.wires) {
    if (!wire.port) continue;
    none = false;
    if (*wire.port == 0) continue;
    const auto [first, free] = taken.emplace(*wire.port, name + "-port");
    if (!free)
      throw usage_error{first->second + " and " + name + "-port are both " +
                             std::to_string(*wire.port) + ": give each a port of its own"};
  }
  if (none && !s.wires.empty())
    throw usage_error{"every wire is off: give a port to " + s.wires.begin()->first +
                           "-port or another of them"};
  if (!s.admin_port || !same_place(s.listen, s.admin_listen)) return;
  if (const auto wire = taken.find(*s.admin_port); wire != taken.end())
    throw usage_error{wire->second + " and admin-port are both " +
                           std::to_string(*s.admin_port) + ": give each a port of its own"};
}

// The command line, and how its parts are found again.
class command_line {
 public:
  explicit command_line(const environment& around) : around_(around), list_(setting_list(around)) {
    texts_.resize(list_.size());
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    for (auto* each : {&app_, serve_, engines_}) {
      each->set_help_flag("-h,--help", "print this and exit");
      each->set_version_flag("--version", "gamehub " + around.version,
                             "print the version and exit");
    }
    app_.footer("gamehub VERB --help tells more.");
    app_.get_formatter()->column_width(name_columns);
    serve_->allow_extras();
    engines_->allow_extras();
    describe_engines();
    serve_->add_flag("--check", check_, "try the settings, say what is wrong and do not serve");
    config_ = serve_->add_option("--config", config_file_,
                                 "settings from a file, one NAME = VALUE a line  [GAMEHUB_CONFIG]");
    config_->type_name("FILE")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    for (std::size_t i = 0; i < list_.size(); ++i) add(list_[i], texts_[i]);
    serve_->footer(
        "A flag stands over the environment variable in brackets, that over the configuration "
        "file\n"
        "(NAME = VALUE, the name being the flag's without --), that over the default.");
  }

  std::variant<command, reply> read(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return reply{help(), 0};
    } catch (const CLI::CallForVersion& e) {
      return reply{e.what(), 0};
    } catch (const CLI::ParseError& e) {
      throw usage_error{explained(e.what())};
    }
    refuse_extras();
    if (*engines_) return command{command::verb::engines, plugins_alone(), json_};
    if (*serve_) return command{check_ ? command::verb::check : command::verb::serve, merged()};
    throw usage_error{"say what to do, such as gamehub serve; gamehub --help lists it all"};
  }

 private:
  static constexpr std::size_t name_columns = 42;

  const setting& plugins_setting() const {
    return *std::find_if(list_.begin(), list_.end(),
                         [](const setting& each) { return each.name == "plugins"; });
  }

  void describe_engines() {
    const auto& plugins = plugins_setting();
    engines_->add_flag("--json", json_, "print one JSON object");
    add_text(*engines_, plugins.flag(), plugins_text_, plugins.kind,
             "those of this folder, too, and why not  [" + plugins.variable() + "]");
    add_text(*engines_, "--config", config_file_, "FILE",
             "settings from a file, as for gamehub serve");
  }

  void add(const setting& what, std::string& text) {
    const auto help = what.help + "  [" + what.variable() + "]";
    auto* option = what.kind.empty() ? serve_->add_flag(what.flag(), text, help)
                                     : serve_->add_option(what.flag(), text, help);
    if (!what.kind.empty()) option->type_name(what.kind)->default_str(what.fallback);
    option->group(what.group)
        ->multi_option_policy(what.repeatable ? CLI::MultiOptionPolicy::Join
                                              : CLI::MultiOptionPolicy::TakeLast);
    options_.push_back(option);
  }

  std::string help() const {
    auto text = app_.help();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (auto at = text.find("\n\n\n"); at != text.npos; at = text.find("\n\n\n", at))
      text.erase(at, 1);
    return text;
  }

  // CLI11's own words name the flag first.
  std::string explained(const std::string& what) const {
    for (const auto& each : list_)
      if (what.starts_with(each.flag() + ":") || what.starts_with(each.flag() + " "))
        return each.flag() + " lacks its value: give " + each.wanted;
    if (what.starts_with("--config")) return "--config lacks its value: give the path of a file";
    return what + "; gamehub --help tells more";
  }

  void refuse_extras() const {
    for (const auto* verb : {serve_, engines_}) {
      if (!*verb) continue;
      for (const auto& extra : verb->remaining()) {
        if (!extra.starts_with("--"))
          throw usage_error{shown(extra) + " after gamehub " + verb->get_name() +
                                 ": leave it out, or write it as the value of a flag"};
        const auto name = extra.substr(2, extra.find('=') - 2);
        if (verb == engines_)
          throw usage_error{
              "--" + name +
              ": gamehub engines takes no setting but --plugins and --config, leave it out"};
        throw usage_error{unknown_setting("--" + name, list_, name, "--")};
      }
    }
    const auto before = app_.remaining();
    if (before.empty()) return;
    const auto& first = before.front();
    throw usage_error{
        first.starts_with("-")
            ? shown(first) + ": write flags after the verb, as in gamehub serve " + first
            : shown(first) +
                  " is not a verb: say serve, engines, engine, journal, verify, status, drain, "
                  "healthcheck, token, arena, bot, games, end, ban, unban, sanctions, mute, "
                  "unmute, say, "
                  "bench or udp-lab"};
  }

  static std::optional<std::string> text_of(const CLI::Option* option, const std::string& text) {
    return option->count() > 0 ? std::optional{text} : std::nullopt;
  }

  settings merged() const {
    const setting_sources sources{around_, list_, text_of(config_, config_file_)};
    settings out;
    for (std::size_t i = 0; i < list_.size(); ++i)
      sources.take(list_[i], text_of(options_[i], texts_[i]), out);
    check_together(out);
    sources.find_journal(out);
    setting_sources::find_arena(out);
    return out;
  }

  // What `gamehub engines` needs to know of the settings.
  settings plugins_alone() const {
    const auto given = [this](const char* flag, const std::string& text) {
      return text_of(engines_->get_option(flag), text);
    };
    const setting_sources sources{around_, list_, given("--config", config_file_)};
    settings out;
    sources.take(plugins_setting(), given("--plugins", plugins_text_), out);
    return out;
  }

  const environment& around_;
  const std::vector<setting> list_;
  std::vector<std::string> texts_;  // by setting, as the command line has it
  std::vector<CLI::Option*> options_;
  std::string config_file_;
  CLI::Option* config_ = nullptr;
  std::string plugins_text_;
  bool check_ = false;
  bool json_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* serve_ = app_.add_subcommand("serve", "serves players until SIGTERM or SIGINT");
  CLI::App* engines_ =
      app_.add_subcommand("engines", "lists the engines and the wires on which they can be played");
  // For --help alone: what follows these verbs is read elsewhere.
  CLI::App* journal_ = app_.add_subcommand("journal", "looks into the log of games and keeps it");
  CLI::App* verify_ = app_.add_subcommand("verify", "plays logged games again and compares");
  CLI::App* engine_ =
      app_.add_subcommand("engine", "makes the project of an engine, and checks one");
  CLI::App* status_ = app_.add_subcommand("status", "says how a running hub is");
  CLI::App* drain_ = app_.add_subcommand("drain", "tells a running hub to go");
  CLI::App* healthcheck_ = app_.add_subcommand("healthcheck", "asks whether a running hub is well");
  CLI::App* token_ = app_.add_subcommand("token", "makes and revokes tokens of owners of bots");
  CLI::App* arena_ = app_.add_subcommand("arena", "lets bots play tournaments, and rates them");
  CLI::App* bot_ = app_.add_subcommand("bot", "calls a bot as a hub does, and checks it");
  CLI::App* games_ = app_.add_subcommand("games", "lists the games of a running hub");
  CLI::App* end_ = app_.add_subcommand("end", "ends one of them");
  CLI::App* ban_ = app_.add_subcommand("ban", "keeps a player or an address out");
  CLI::App* unban_ = app_.add_subcommand("unban", "lets them in again");
  CLI::App* sanctions_ = app_.add_subcommand("sanctions", "lists who is kept out or muted");
  CLI::App* mute_ = app_.add_subcommand("mute", "lets a player say nothing");
  CLI::App* unmute_ = app_.add_subcommand("unmute", "lets a player speak again");
  CLI::App* say_ = app_.add_subcommand("say", "says something to all who read over HTTP");
  CLI::App* bench_ = app_.add_subcommand("bench", "plays on a running hub and says how fast it is");
  CLI::App* udp_lab_ = app_.add_subcommand("udp-lab", "is a bad network before a hub's UDP port");
};

}  // namespace

std::string sentence(const usage_error& mistake) {
  const std::string what = mistake.what();
  return "gamehub: " + what + (what.ends_with('.') || what.ends_with('?') ? "" : ".");
}

std::variant<command, reply> parse(int argc, const char* const* argv, const environment& around) {
  try {
    return command_line{around}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
