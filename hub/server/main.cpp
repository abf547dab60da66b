// The program gamehub: its verbs, each carried out by the folder that adds it.
#include "engines/check/check.hpp"
#include "engines/process/serve_engine.hpp"
#include "gateways/protocol.hpp"
#include "hub/admin/journal_verbs.hpp"
#include "hub/admin/league_verbs.hpp"
#include "hub/admin/operator_verbs.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/cores.hpp"
#include "hub/base/crash_log.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/command_line.hpp"
#include "hub/config/program.hpp"
#include "hub/plugins/plugin_set.hpp"
#include "hub/server/engine_list.hpp"
#include "hub/server/engine_sandbox.hpp"
#include "hub/server/hub.hpp"
#include "hub/server/replay_trials.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace gamehub::server {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* text = std::getenv(name.c_str());
  return text == nullptr ? std::nullopt : std::optional<std::string>{text};
}

std::vector<std::string> variable_names() {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view line{*each};
    out.emplace_back(line.substr(0, line.find('=')));
  }
  return out;
}

int run_serve(const config::settings& settings, bool check_only) {
  if (check_only) {
    for (const auto& remark : check(settings)) std::cerr << "gamehub: " << remark << '\n';
    std::cerr << "configuration ok\n";
    return EXIT_SUCCESS;
  }
  base::log::set_up(settings.log_format, settings.log_level);
  base::crash_log::install(settings.log_format);
  return serve(settings);
}

int list_engines(const config::settings& settings, bool json) {
  const plugins::plugin_set all{settings.plugins, settings.programs};
  const auto list = json ? engine_json : engine_list;
  return config::print(list(all.engines(), all.plugins(), gateways::protocols()));
}

// Replaces this program with gamehub-tools in the same folder, with the same arguments. Returns
// only by an exception.
[[noreturn]] int exec_tools(const char* const* argv) {
  std::error_code unreadable;
  const auto self = std::filesystem::read_symlink(base::this_program, unreadable);
  const auto tools = self.parent_path() / "gamehub-tools";
  // execv() changes no argument; its type is older than const.
  execv(tools.c_str(), const_cast<char* const*>(argv));
  if (errno == ENOENT)
    throw base::usage_error{std::string{argv[1]} +
                            " is in gamehub-tools, which is not installed beside this program"};
  throw base::usage_error{tools.string() + " can't be started (" +
                          std::generic_category().message(errno) + ")"};
}

// What the hub runs in its child processes.
bool is_probe(int argc, const char* const* argv) {
  return argc == 3 && std::string_view{argv[1]} == "engine" &&
         std::string_view{argv[2]} == engines::check::probe_verb;
}

int run(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == engines::process::serve_engine_verb)
    return engines::process::serve_engine(argc > 2 ? argv[2] : "");
  if (name == report_sandbox_verb) return report_sandbox();
  if (name == serve_replays_verb) return serve_replays(argc > 2 ? argv[2] : "");
  if (is_probe(argc, argv)) return engines::check::probe();
  // The default action would end the hub without a drain. plugin_reloader receives the signal.
  if (name == "serve") std::signal(SIGHUP, SIG_IGN);

  config::verb program;
  program.name = "gamehub";
  program.help = "gamehub hosts games of many engines for players of many protocols.";
  program.footer =
      "gamehub VERB --help prints the help of a verb. Verbs marked (gamehub-tools) run that "
      "program.";
  const auto run_admin_verb = [](const auto& request) { return admin::carry_out(request); };
  config::add_serve_verbs(program, run_serve, list_engines);
  admin::add_journal_verbs(program, run_admin_verb);
  admin::add_operator_verbs(program, run_admin_verb);
  admin::add_league_verbs(program, run_admin_verb);
  for (const auto& tool : config::tool_verbs)
    program.add(tool.name, tool.help + std::string{" (gamehub-tools)"}).forward = exec_tools;
  return config::run_verb(
      program, argc, argv,
      {variable, variable_names(), gateways::protocols(), base::cores(), GAMEHUB_VERSION});
}

}  // namespace
}  // namespace gamehub::server

int main(int argc, char** argv) {
  return gamehub::config::run_program(argc, argv, gamehub::server::run);
}
