#include "hub/config/verb_parser.hpp"

#include "hub/base/usage_error.hpp"

#include <algorithm>

namespace gamehub::config {
void set_help(CLI::App& of, std::size_t name_columns) {
  of.set_help_flag("-h,--help", "print this and exit");
  of.get_formatter()->column_width(name_columns);
}

void add_text(CLI::App& to, const std::string& flag, std::string& into, const std::string& kind,
              const std::string& help) {
  to.add_option(flag, into, help)
      ->type_name(kind)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

std::optional<std::string> given(const CLI::App& in, const std::string& flag,
                                 const std::string& value) {
  return in.get_option(flag)->count() > 0 ? std::optional{value} : std::nullopt;
}

std::optional<early_exit> read_line(CLI::App& app, int argc, const char* const* argv,
                                    const std::string& verb) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    auto help = app.help();
    while (!help.empty() && help.back() == '\n') help.pop_back();
    return early_exit{help, 0};
  } catch (const CLI::ParseError& e) {
    throw base::usage_error{std::string{e.what()} + "; see " + verb + " --help"};
  }
  return std::nullopt;
}

void refuse_extras(const CLI::App& of, const std::string& verb) {
  if (const auto more = of.remaining(); !more.empty())
    throw base::usage_error{shown(more.front()) + " is not for " + verb + ": leave it out, " +
                            verb + " --help lists the arguments"};
}

setting_flags::setting_flags(const environment& around)
    : around_(around), list_(setting_list(around)) {}

const setting& setting_flags::named(std::string_view name) const {
  return *std::find_if(list_.begin(), list_.end(),
                       [name](const setting& each) { return each.name == name; });
}

void setting_flags::add(CLI::App& to, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto& s = named(name);
    add_text(to, s.flag(), values_[s.name], s.kind, s.help + "  [" + s.variable() + "]");
  }
  if (to.get_option_no_throw("--config") == nullptr)
    add_text(to, "--config", config_, "FILE",
             "settings from a file, as for gamehub serve  [GAMEHUB_CONFIG]");
}

setting_sources setting_flags::sources(const CLI::App& app) const {
  return {around_, list_, given(app, "--config", config_)};
}

void setting_flags::take(const setting_sources& from, const CLI::App& app,
                         std::initializer_list<std::string_view> names, settings& into) const {
  for (const auto name : names) {
    const auto& s = named(name);
    from.take(s, given(app, s.flag(), values_.find(name)->second), into);
  }
}

}  // namespace gamehub::config
