#include "hub/config/setting_sources.hpp"

#include "hub/base/usage_error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace gamehub::config {
namespace {

// A container platform may set NAME_PORT=tcp://... for every service NAME. If a service has the
// name of a protocol, the variable is an address of that service, not a setting.
bool is_service_link(const setting& of, std::string_view text) {
  return of.takes_port() && (text.starts_with("tcp://") || text.starts_with("udp://"));
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  std::string out{text.substr(0, shown_max)};
  std::replace_if(
      out.begin(), out.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, '?');
  return '"' + out + (text.size() > shown_max ? "\"..." : "\"");
}

std::string unknown_setting(const std::string& where, const std::vector<setting>& list,
                            const std::string& name, std::string_view prefix) {
  const auto meant = nearest(list, name);
  return where + ": there is no such setting, " +
         (meant ? "did you mean " + std::string{prefix} + *meant + "?"
                : "gamehub serve --help lists them all");
}

setting_sources::setting_sources(const environment& around, const std::vector<setting>& list,
                                 const std::optional<std::string>& config_flag)
    : around_(around), list_(list) {
  if (config_flag)
    read_file(*config_flag, "--config");
  else if (const auto path = variable("GAMEHUB_CONFIG"))
    read_file(*path, "GAMEHUB_CONFIG");
}

void setting_sources::read_file(const std::string& path, const std::string& named_by) {
  std::ifstream in{path};
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored))
    throw base::usage_error{named_by + ": the file " + shown(path) +
                            " can't be read: give one that this account may read"};
  for (const auto& item : CLI::ConfigTOML{}.from_config(in)) {
    const auto where = path + ": " + item.fullname();
    if (item.name == "++" || item.name == "--" || !item.parents.empty())
      throw base::usage_error{path + ": has a section " +
                              shown(item.parents.empty() ? item.name : item.parents.front()) +
                              ": write the settings without sections"};
    const auto known = std::any_of(list_.begin(), list_.end(),
                                   [&](const setting& each) { return each.name == item.name; });
    if (!known) throw base::usage_error{unknown_setting(where, list_, item.name, "")};
    if (item.inputs.size() != 1 || file_.count(item.name) > 0)
      throw base::usage_error{where + ": has more than one value: give it one"};
    file_[item.name] = {item.inputs.front(), where};
  }
}

std::optional<std::string> setting_sources::variable(const std::string& name) const {
  auto text = around_.variable ? around_.variable(name) : std::nullopt;
  return text && text->empty() ? std::nullopt : text;
}

void setting_sources::take(const setting& what, const std::optional<std::string>& flag,
                           settings& out) const {
  what.take(out, what.fallback);
  given value{what.fallback, what.flag()};
  if (flag)
    value = {*flag, what.flag()};
  else if (auto text = variable(what.variable()); text && !is_service_link(what, *text))
    value = {std::move(*text), what.variable()};
  else if (const auto found = file_.find(what.name); found != file_.end())
    value = found->second;
  if (!what.take(out, value.text))
    throw base::usage_error{value.where + " is " + shown(value.text) + ": give " + what.wanted};
}

void setting_sources::find_journal(settings& out) const {
  if (out.journal_in == journal_kind::memory || !out.journal_file.empty()) return;
  // XDG base directories: a relative path is ignored.
  const auto state = variable("XDG_STATE_HOME");
  const auto home = variable("HOME");
  std::filesystem::path base;
  if (state && state->front() == '/')
    base = *state;
  else if (home)
    base = std::filesystem::path{*home} / ".local/state";
  else
    throw base::usage_error{
        "the journal has no path, because neither XDG_STATE_HOME nor HOME is set: give "
        "--journal sqlite:PATH or --journal memory"};
  out.journal_file = base / "gamehub" / "journal.db";
}

void setting_sources::find_arena(settings& out) {
  if (out.arena_in_memory || !out.arena_file.empty() || out.journal_file.empty()) return;
  out.arena_file = out.journal_file;
  out.arena_file += ".arena";
}

}  // namespace gamehub::config
