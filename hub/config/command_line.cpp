#include "hub/config/command_line.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/setting_list.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace gamehub::config {
namespace {

// One value of an option, and its source.
struct given {
  std::string text;
  std::string where;
};

void store(const option& what, const given& value) {
  if ((what.required && value.text.empty()) || !what.take(value.text))
    throw base::usage_error{value.where + " is " + shown(value.text) + ": give " + what.wanted};
}

// A container platform may set NAME_PORT=tcp://... for every service NAME. If a service has the
// name of a protocol, the variable is an address of that service, not a setting.
bool is_service_link(const option& of, std::string_view text) {
  return of.kind == option::port_kind && (text.starts_with("tcp://") || text.starts_with("udp://"));
}

// Whether the variable is one that a container platform sets for a service whose name begins with
// "gamehub", such as GAMEHUB_SERVICE_HOST or GAMEHUB_HTTP_PORT_8080_TCP_ADDR.
bool is_of_service(std::string_view name, std::string_view text) {
  if (name.ends_with("_PORT") && (text.starts_with("tcp://") || text.starts_with("udp://")))
    return true;
  if (name.find("_SERVICE_HOST") != name.npos || name.find("_SERVICE_PORT") != name.npos)
    return true;
  return name.find("_TCP", name.find("_PORT_")) != name.npos ||
         name.find("_UDP", name.find("_PORT_")) != name.npos;
}

constexpr std::string_view variable_prefix = "GAMEHUB_";

// Variables of ./dev and of the tests, which may run the program.
constexpr std::string_view development_variables[] = {
    "CACHE", "CMAKE",       "EVENINGS", "GAMES", "GOLDEN",
    "JOBS",  "PLAYTHROUGH", "REQUIRE",  "SEED",  "WRITE_BASELINE"};

// The values of a configuration file by setting name.
std::map<std::string, given> read_file(const given& file, const std::vector<option>& settings) {
  std::vector<std::string> names;
  for (const auto& each : settings) names.push_back(each.name);
  const auto& path = file.text;
  std::ifstream in{path};
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored))
    throw base::usage_error{file.where + ": the file " + shown(path) +
                            " can't be read: give one that this account may read"};
  std::map<std::string, given> values;
  for (const auto& item : CLI::ConfigTOML{}.from_config(in)) {
    const auto where = path + ": " + item.fullname();
    if (item.name == "++" || item.name == "--" || !item.parents.empty())
      throw base::usage_error{path + ": has a section " +
                              shown(item.parents.empty() ? item.name : item.parents.front()) +
                              ": write the settings without sections"};
    if (std::find(names.begin(), names.end(), item.name) == names.end()) {
      const auto meant = nearest(names, item.name);
      throw base::usage_error{
          where + ": there is no such setting, " +
          (meant ? "did you mean " + *meant + "?" : "gamehub serve --help lists them all")};
    }
    const auto setting = std::find_if(settings.begin(), settings.end(),
                                      [&](const option& each) { return each.name == item.name; });
    const bool one = item.inputs.size() == 1 || (setting->repeatable && !item.inputs.empty());
    if (!one || values.count(item.name) > 0)
      throw base::usage_error{where + ": has more than one value: give it one"};
    auto text = item.inputs.front();
    for (std::size_t i = 1; i < item.inputs.size(); ++i)
      text += setting->separator + item.inputs[i];
    values[item.name] = {std::move(text), where};
  }
  return values;
}

// "serve, engines or bot"
std::string names_of(const std::list<verb>& verbs) {
  std::string names;
  for (auto each = verbs.begin(); each != verbs.end(); ++each) {
    if (each->help.empty()) continue;
    const bool last = std::all_of(std::next(each), verbs.end(),
                                  [](const verb& later) { return later.help.empty(); });
    names += (names.empty() ? "" : last ? " or " : ", ") + each->name;
  }
  return names;
}

class command_line {
 public:
  command_line(const verb& program, const environment& around, settings& into)
      : around_(around),
        program_(program),
        settings_(into),
        settings_list_(setting_list(around, into)) {
    config_.path("config", "FILE", "settings from a file, one NAME = VALUE per line", config_file_)
        .is_setting = true;
    app_.get_formatter()->column_width(name_columns);
    app_.get_formatter()->label("SUBCOMMAND", "VERB");
    bind(app_, program);
  }

  // Stores the values of the verb that the command line names, and returns it. Returns null and the
  // text to print if help or the version is wanted.
  const verb* read(int argc, const char* const* argv, std::string& printed) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      printed = help();
      return nullptr;
    } catch (const CLI::CallForVersion& e) {
      printed = std::string{e.what()} + '\n';
      return nullptr;
    } catch (const CLI::ParseError& e) {
      throw base::usage_error{failure_message(e)};
    }
    const auto [app, named] = find_named();
    refuse_extras(*app, *named);
    if (!named->run)
      throw base::usage_error{"missing verb. Example: " + path_ + ' ' + named->verbs.front().name +
                              "; " + path_ + " --help lists the verbs"};
    for (const auto& each : named->options) take_flag(*app, each);
    take_settings(*app, *named);
    return named;
  }

 private:
  static constexpr std::size_t name_columns = 36;

  bool uses(const verb& v, const option& setting) const {
    const auto& names = v.uses_settings;
    return v.uses_all_settings ||
           std::find(names.begin(), names.end(), setting.name) != names.end();
  }

  // The options of a verb; with settings, also --config and these settings.
  std::vector<const option*> options_of(const verb& v) const {
    std::vector<const option*> all;
    for (const auto& each : v.options) all.push_back(&each);
    if (v.uses_all_settings || !v.uses_settings.empty()) all.push_back(&config());
    for (const auto& each : settings_list_.options)
      if (uses(v, each)) all.push_back(&each);
    return all;
  }

  const option& config() const { return config_.options.front(); }

  void bind(CLI::App& app, const verb& v) {
    app.set_help_flag("-h,--help", "print this and exit");
    app.set_version_flag("--version", program_.name + ' ' + around_.version,
                         "print the version and exit");
    app.allow_extras()->require_subcommand(0, 1)->footer(v.footer);
    if (v.help.empty()) app.group("");
    for (const auto& each : v.verbs) bind(*app.add_subcommand(each.name, each.help), each);
    for (const auto* each : options_of(v)) bind(app, *each);
  }

  static void bind(CLI::App& app, const option& o) {
    const auto help = o.help + (o.is_setting ? "  [" + o.variable() + "]" : "");
    const bool is_flag = o.kind.empty() && !o.is_argument();
    auto* to = is_flag ? app.add_flag(o.label())->description(help)
                       : app.add_option(o.label(), CLI::callback_t{}, help);
    to->type_name("");
    if (!is_flag && !o.is_argument()) to->type_name(o.kind)->default_str(o.fallback);
    if (o.list) to->expected(CLI::detail::expected_max_vector_size);
    to->required(o.required)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (!o.is_argument()) to->group(o.group);
  }

  std::string help() const {
    auto text = app_.help();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (auto at = text.find("\n\n\n"); at != text.npos; at = text.find("\n\n\n", at))
      text.erase(at, 1);
    return text + '\n';
  }

  // The verb that was named, or the last group on the way to it. Sets path_.
  std::pair<const CLI::App*, const verb*> find_named() {
    const CLI::App* app = &app_;
    const verb* v = &program_;
    path_ = v->name;
    while (!app->get_subcommands().empty()) {
      refuse_extras(*app, *v);
      app = app->get_subcommands().front();
      v = &*std::find_if(v->verbs.begin(), v->verbs.end(),
                         [&](const verb& each) { return each.name == app->get_name(); });
      path_ += ' ' + v->name;
    }
    return {app, v};
  }

  // Turns an error of CLI11, whose text begins with the option, into one sentence.
  std::string failure_message(const CLI::ParseError& e) {
    const std::string what = e.what();
    const auto [app, v] = find_named();
    const bool is_missing = dynamic_cast<const CLI::RequiredError*>(&e) != nullptr;
    for (const auto* each : options_of(*v))
      if (const auto label = each->label();
          what.starts_with(label + ':') || what.starts_with(label + ' '))
        return label + (is_missing ? " is missing" : " has no value") + ": give " + each->wanted;
    return what + "; see " + path_ + " --help";
  }

  // Refuses what is no option, argument or verb here.
  void refuse_extras(const CLI::App& app, const verb& v) const {
    const auto extras = app.remaining();
    if (extras.empty()) return;
    const auto& first = extras.front();
    const bool is_flag = first.starts_with('-');
    if (is_flag && !v.verbs.empty())
      throw base::usage_error{shown(first) + ": write flags after the verb, as in " + path_ + ' ' +
                              v.verbs.front().name + ' ' + first};
    if (!v.verbs.empty())
      throw base::usage_error{shown(first) + " is not a verb of " + path_ + ": give " +
                              names_of(v.verbs)};
    std::vector<std::string> known;
    for (const auto* each : options_of(v)) known.push_back(each->name);
    const auto flag = first.substr(0, first.find('='));
    const auto meant = flag.starts_with("--") ? nearest(known, flag.substr(2)) : std::nullopt;
    throw base::usage_error{shown(is_flag ? flag : first) + " is not for " + path_ + ": " +
                            (meant ? "did you mean --" + *meant + "?"
                                   : "leave it out, " + path_ + " --help lists the arguments")};
  }

  // Stores the values of an option on the command line. Returns false if the line has none.
  static bool take_flag(const CLI::App& app, const option& what) {
    const auto& texts = app.get_option(what.label())->results();
    if (what.repeatable || what.list)
      for (const auto& each : texts) store(what, {each, what.label()});
    else if (!texts.empty())
      store(what, {texts.back(), what.label()});
    return !texts.empty();
  }

  std::optional<std::string> variable(const std::string& name) const {
    auto text = around_.variable ? around_.variable(name) : std::nullopt;
    return text && text->empty() ? std::nullopt : text;
  }

  // Refuses variables that look like settings but are unknown, so that a misspelt one is not
  // ignored.
  void refuse_unknown_variables() const {
    for (const auto& name : around_.names) {
      if (!name.starts_with(variable_prefix) || name == config().variable()) continue;
      const auto text = variable(name);
      if (!text || is_of_service(name, *text)) continue;
      const auto rest = std::string_view{name}.substr(variable_prefix.size());
      if (std::find(std::begin(development_variables), std::end(development_variables), rest) !=
          std::end(development_variables))
        continue;
      std::vector<std::string> known;
      for (const auto& each : settings_list_.options) known.push_back(each.variable());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const auto meant = nearest(known, name);
      throw base::usage_error{"the environment has " + shown(name) + ", which is no setting: " +
                              (meant ? "did you mean " + *meant + "?"
                                     : "unset it, gamehub serve --help lists them all")};
    }
  }

  // Stores each setting of the verb: from its flag, else the environment, else the file.
  void take_settings(const CLI::App& app, const verb& v) {
    if (!v.uses_all_settings && v.uses_settings.empty()) return;
    refuse_unknown_variables();
    std::map<std::string, given> file;
    if (take_flag(app, config()))
      file = read_file({config_file_.string(), config().label()}, settings_list_.options);
    else if (const auto path = variable(config().variable()))
      file = read_file({*path, config().variable()}, settings_list_.options);
    for (const auto& each : settings_list_.options) {
      if (!uses(v, each) || take_flag(app, each)) continue;
      if (const auto text = variable(each.variable()); text && !is_service_link(each, *text))
        store(each, {*text, each.variable()});
      else if (const auto found = file.find(each.name); found != file.end())
        store(each, found->second);
    }
    // XDG base directories: a relative path is ignored.
    const auto state = variable("XDG_STATE_HOME");
    const auto home = variable("HOME");
    if (state && state->front() == '/')
      settings_.state_folder = *state;
    else if (home)
      settings_.state_folder = std::filesystem::path{*home} / ".local/state";
  }

  const environment& around_;
  const verb& program_;
  settings& settings_;
  option_list settings_list_;
  option_list config_;  // --config
  std::filesystem::path config_file_;
  std::string path_;  // of the named verb: "gamehub journal export"
  CLI::App app_{program_.help, program_.name};
};

}  // namespace

verb& verb::add(std::string verb_name, std::string verb_help) {
  auto& added = verbs.emplace_back();
  added.name = std::move(verb_name);
  added.help = std::move(verb_help);
  return added;
}

verb& verb::group_of_verbs(const std::string& verb_name, std::string verb_help) {
  for (auto& each : verbs)
    if (each.name == verb_name) return each;
  return add(verb_name, std::move(verb_help));
}

int run_verb(const verb& program, int argc, const char* const* argv, const environment& around,
             const std::function<int(const std::string&)>& printer) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "help") {
    // gamehub help VERB is gamehub VERB --help.
    std::vector<const char*> words{argv[0]};
    words.insert(words.end(), argv + 2, argv + argc);
    words.push_back("--help");
    const auto count = static_cast<int>(words.size());
    words.push_back(nullptr);
    return run_verb(program, count, words.data(), around, printer);
  }
  for (const auto& each : program.verbs)
    if (each.forward && each.name == first) return each.forward(argv);
  settings found;
  std::string printed;
  const auto* named = command_line{program, around, found}.read(argc, argv, printed);
  if (named == nullptr) return printer(printed);
  // A child process has that of its parent.
  const auto& names = named->uses_settings;
  if (named->uses_all_settings || std::find(names.begin(), names.end(), "sandbox") != names.end())
    base::use_sandbox(found.sandbox);
  return named->run(found);
}

}  // namespace gamehub::config
