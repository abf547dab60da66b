// The program gamehub: finds the verb and calls the folder that carries it out.
#include "engines/check/check.hpp"
#include "engines/process/serve_engine.hpp"
#include "gateways/protocol.hpp"
#include "hub/admin/journal_arguments.hpp"
#include "hub/admin/journal_verbs.hpp"
#include "hub/admin/league_arguments.hpp"
#include "hub/admin/league_verbs.hpp"
#include "hub/admin/operator_arguments.hpp"
#include "hub/admin/operator_verbs.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/cores.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "hub/config/settings.hpp"
#include "hub/config/verbs.hpp"
#include "hub/plugins/plugin_set.hpp"
#include "hub/server/engine_list.hpp"
#include "hub/server/hub.hpp"

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

namespace gamehub::server {
namespace {

using config::verb_group;

std::optional<std::string> variable(const std::string& name) {
  const char* text = std::getenv(name.c_str());
  return text == nullptr ? std::nullopt : std::optional<std::string>{text};
}

int list_engines(const config::command& request) {
  const plugins::plugin_set all{request.settings.plugins};
  const auto list = request.json ? engine_json : engine_list;
  return config::print(list(all.engines(), all.plugins(), gateways::protocols()));
}

int carry_out(const config::command& request) {
  switch (request.what) {
    case config::command::verb::serve:
      base::log::set_up(request.settings.log_format, request.settings.log_level);
      return serve(request.settings);
    case config::command::verb::check:
      for (const auto& remark : check(request.settings)) std::cerr << "gamehub: " << remark << '\n';
      std::cerr << "configuration ok\n";
      return EXIT_SUCCESS;
    case config::command::verb::engines: return list_engines(request);
  }
  return EXIT_FAILURE;
}

// Replaces this program with gamehub-tools in the same folder, with the same arguments. Returns
// only by an exception.
[[noreturn]] void exec_tools(const std::string& verb, const char* const* argv) {
  std::error_code unreadable;
  const auto self = std::filesystem::read_symlink(base::this_program, unreadable);
  const auto tools = self.parent_path() / "gamehub-tools";
  // execv() changes no argument; its type is older than const.
  execv(tools.c_str(), const_cast<char* const*>(argv));
  if (errno == ENOENT)
    throw base::usage_error{verb +
                            " is in gamehub-tools, which is not installed beside this program"};
  throw base::usage_error{tools.string() + " can't be started (" +
                          std::generic_category().message(errno) + ")"};
}

// What the hub runs in its child processes.
bool is_probe(int argc, const char* const* argv) {
  return argc == 4 && std::string_view{argv[1]} == "engine" &&
         std::string_view{argv[2]} == engines::check::probe_verb;
}

int run(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == engines::process::serve_engine_verb)
    return engines::process::serve_engine(argc > 2 ? argv[2] : "");
  if (is_probe(argc, argv)) return engines::check::probe(argv[3]);
  const auto* verb = config::find_verb(name);
  const auto group = verb == nullptr ? verb_group::serve : verb->group;
  if (group == verb_group::tools) exec_tools(name, argv);
  // The default action would end the hub without a drain. plugin_reloader receives the signal.
  if (group == verb_group::serve) std::signal(SIGHUP, SIG_IGN);

  const config::environment around{variable, gateways::protocols(), base::cores(), GAMEHUB_VERSION};
  const auto run_admin_verb = [](const auto& request) { return admin::carry_out(request); };
  if (group == verb_group::journal)
    return config::run_request(admin::parse_archive(argc, argv, around), run_admin_verb);
  if (group == verb_group::league)
    return config::run_request(admin::parse_arena(argc, argv, around), run_admin_verb);
  if (group == verb_group::operate)
    return config::run_request(admin::parse_operate(argc, argv, around), run_admin_verb);
  return config::run_request(config::parse(argc, argv, around), carry_out);
}

}  // namespace
}  // namespace gamehub::server

int main(int argc, char** argv) {
  return gamehub::config::run_program(argc, argv, gamehub::server::run);
}
