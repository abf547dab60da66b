#include "hub/config/settings.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/setting_list.hpp"
#include "hub/config/setting_sources.hpp"
#include "hub/config/verb_parser.hpp"
#include "hub/config/verbs.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace gamehub::config {
namespace {

bool same_place(const std::string& one, const std::string& other) {
  const auto anywhere = [](const std::string& address) {
    return address == "0.0.0.0" || address == "::";
  };
  return one == other || anywhere(one) || anywhere(other);
}

// Checks that concern several settings.
void check_together(const settings& s) {
  std::map<std::uint16_t, std::string> taken;
  auto none = true;
  for (const auto& [name, wire] : s.wires) {
    if (!wire.port) continue;
    none = false;
    if (*wire.port == 0) continue;
    const auto [first, free] = taken.emplace(*wire.port, name + "-port");
    if (!free)
      throw base::usage_error{first->second + " and " + name + "-port are both " +
                              std::to_string(*wire.port) + ": give each its own port"};
  }
  if (none && !s.wires.empty())
    throw base::usage_error{"every protocol is off: give a port to " + s.wires.begin()->first +
                            "-port or to another one"};
  if (!s.admin_port || !same_place(s.listen, s.admin_listen)) return;
  if (const auto wire = taken.find(*s.admin_port); wire != taken.end())
    throw base::usage_error{wire->second + " and admin-port are both " +
                            std::to_string(*s.admin_port) + ": give each its own port"};
}

// The command line of serve and engines, and the help of the program.
class command_line {
 public:
  explicit command_line(const environment& around) : around_(around), list_(setting_list(around)) {
    texts_.resize(list_.size());
    app_.require_subcommand(0, 1);
    app_.allow_extras();
    for (const auto& each : verbs) app_.add_subcommand(std::string{each.name}, help_of(each));
    // The other verbs are here for --help: hub/server/main.cpp calls their parsers.
    serve_ = app_.get_subcommand("serve");
    engines_ = app_.get_subcommand("engines");
    for (auto* each : {&app_, serve_, engines_}) {
      each->set_help_flag("-h,--help", "print this and exit");
      each->set_version_flag("--version", "gamehub " + around.version,
                             "print the version and exit");
    }
    app_.footer(
        "gamehub VERB --help prints the help of a verb. Verbs marked (gamehub-tools) run that "
        "program.");
    app_.get_formatter()->column_width(name_columns);
    serve_->allow_extras();
    engines_->allow_extras();
    describe_engines();
    serve_->add_flag("--check", check_, "check the settings, print what is wrong and exit");
    config_ =
        serve_->add_option("--config", config_file_,
                           "settings from a file, one NAME = VALUE per line  [GAMEHUB_CONFIG]");
    config_->type_name("FILE")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    for (std::size_t i = 0; i < list_.size(); ++i) add(list_[i], texts_[i]);
    serve_->footer(
        "A flag overrides the environment variable in brackets, which overrides the configuration "
        "file\n"
        "(NAME = VALUE, with the flag's name without --), which overrides the default.");
  }

  std::variant<command, early_exit> read(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return early_exit{help(), 0};
    } catch (const CLI::CallForVersion& e) {
      return early_exit{e.what(), 0};
    } catch (const CLI::ParseError& e) {
      throw base::usage_error{explained(e.what())};
    }
    refuse_extras();
    if (*engines_) return command{command::verb::engines, plugins_alone(), json_};
    if (*serve_) return command{check_ ? command::verb::check : command::verb::serve, merged()};
    throw base::usage_error{"missing verb. Example: gamehub serve; gamehub --help lists the verbs"};
  }

 private:
  static constexpr std::size_t name_columns = 42;

  static std::string help_of(const verb& of) {
    std::string help{of.help};
    return of.group == verb_group::tools ? help + " (gamehub-tools)" : help;
  }

  // "serve, engines or bot"
  static std::string list_of_verbs() {
    std::string list;
    for (std::size_t i = 0; i < std::size(verbs); ++i) {
      if (i > 0) list += i + 1 == std::size(verbs) ? " or " : ", ";
      list += verbs[i].name;
    }
    return list;
  }

  const setting& plugins_setting() const {
    return *std::find_if(list_.begin(), list_.end(),
                         [](const setting& each) { return each.name == "plugins"; });
  }

  void describe_engines() {
    const auto& plugins = plugins_setting();
    engines_->add_flag("--json", json_, "print one JSON object");
    add_text(
        *engines_, plugins.flag(), plugins_text_, plugins.kind,
        "also the plugins of this folder, and why one is not usable  [" + plugins.variable() + "]");
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

  // A message of CLI11 begins with the flag.
  std::string explained(const std::string& what) const {
    for (const auto& each : list_)
      if (what.starts_with(each.flag() + ":") || what.starts_with(each.flag() + " "))
        return each.flag() + " has no value: give " + each.wanted;
    if (what.starts_with("--config")) return "--config has no value: give the path of a file";
    return what + "; see gamehub --help";
  }

  void refuse_extras() const {
    for (const auto* verb : {serve_, engines_}) {
      if (!*verb) continue;
      for (const auto& extra : verb->remaining()) {
        if (!extra.starts_with("--"))
          throw base::usage_error{shown(extra) + " after gamehub " + verb->get_name() +
                                  ": leave it out, or write it as the value of a flag"};
        const auto name = extra.substr(2, extra.find('=') - 2);
        if (verb == engines_)
          throw base::usage_error{
              "--" + name +
              ": gamehub engines takes no setting but --plugins and --config, leave it out"};
        throw base::usage_error{unknown_setting("--" + name, list_, name, "--")};
      }
    }
    const auto before = app_.remaining();
    if (before.empty()) return;
    const auto& first = before.front();
    throw base::usage_error{first.starts_with("-")
                                ? shown(first) +
                                      ": write flags after the verb, as in gamehub serve " + first
                                : shown(first) + " is not a verb: give " + list_of_verbs()};
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

  // The settings that `gamehub engines` uses.
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
  std::vector<std::string> texts_;  // of each setting, from the command line
  std::vector<CLI::Option*> options_;
  std::string config_file_;
  CLI::Option* config_ = nullptr;
  std::string plugins_text_;
  bool check_ = false;
  bool json_ = false;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* serve_ = nullptr;
  CLI::App* engines_ = nullptr;
};

}  // namespace

std::variant<command, early_exit> parse(int argc, const char* const* argv,
                                        const environment& around) {
  try {
    return command_line{around}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::config
