// The program gamehub-tools: what no `gamehub serve` runs.
#include "engines/process/serve_engine.hpp"
#include "hub/config/command_line.hpp"
#include "hub/config/program.hpp"
#include "tools/bench/bench.hpp"
#include "tools/bot/verb.hpp"
#include "tools/engine/verb.hpp"
#include "tools/udp_lab/verb.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::tools {
namespace {

int run(int argc, const char* const* argv) {
  // The child process of a check whose engine is a program.
  if (argc == 3 && std::string_view{argv[1]} == engines::process::serve_engine_verb)
    return engines::process::serve_engine(argv[2]);
  config::verb program;
  program.name = "gamehub-tools";
  program.help = "Tools that test a running hub, and help authors of engines and bots.";
  program.footer = "gamehub-tools VERB --help prints the help of a verb.";
  bench::add_bench_verb(program, bench::run);
  udp_lab::add_udp_lab_verb(program, udp_lab::carry_out);
  const auto carry_out = [](const auto& request) { return engine::carry_out(request); };
  engine::add_engine_verbs(program, carry_out, carry_out, carry_out, carry_out, carry_out);
  bot::add_bot_verbs(program, bot::carry_out);
  config::environment around;
  around.version = GAMEHUB_VERSION;
  around.variable = [](const std::string& name) {
    const char* text = std::getenv(name.c_str());
    return text == nullptr ? std::nullopt : std::optional<std::string>{text};
  };
  return config::run_verb(program, argc, argv, around);
}

}  // namespace
}  // namespace gamehub::tools

int main(int argc, char** argv) {
  return gamehub::config::run_program(argc, argv, gamehub::tools::run);
}
