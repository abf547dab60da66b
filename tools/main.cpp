// The program gamehub-tools: what no `gamehub serve` runs.
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "hub/config/setting_sources.hpp"
#include "hub/config/settings.hpp"
#include "hub/config/verbs.hpp"
#include "tools/bench/bench.hpp"
#include "tools/bot/verb.hpp"
#include "tools/engine/verb.hpp"
#include "tools/udp_lab/verb.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace gamehub::tools {
namespace {

struct tool {
  std::string_view verb;
  int (*run)(int argc, const char* const* argv);
};

constexpr tool all[] = {
    {"bench", bench::run},
    {"udp-lab", udp_lab::run},
    {"engine", engine::run},
    {"bot", bot::run},
};

std::string help() {
  constexpr std::size_t verb_columns = 12;
  std::string text =
      "Tools that test a running hub, and help authors of engines and bots.\n"
      "Usage: gamehub-tools VERB [ARGUMENT...]\n\nVerbs:\n";
  for (const auto& each : all) {
    auto line = "  " + std::string{each.verb};
    line.resize(verb_columns, ' ');
    text += line + std::string{config::find_verb(each.verb)->help} + '\n';
  }
  return text +
         "\nOptions:\n  -h,--help   print this and exit\n  --version   print the version and "
         "exit\n\n"
         "gamehub-tools VERB --help prints the help of a verb.\n";
}

int run(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "-h" || name == "--help") return config::print(help());
  if (name == "--version") return config::print("gamehub-tools " GAMEHUB_VERSION "\n");
  const auto* found = std::find_if(std::begin(all), std::end(all),
                                   [&](const tool& each) { return each.verb == name; });
  if (found != std::end(all)) return found->run(argc, argv);
  throw base::usage_error{
      (name.empty() ? "missing verb" : config::shown(name) + " is not a verb of gamehub-tools") +
      " (bench, udp-lab, engine or bot). Example: gamehub-tools bench opcodes"};
}

}  // namespace
}  // namespace gamehub::tools

int main(int argc, char** argv) {
  return gamehub::config::run_program(argc, argv, gamehub::tools::run);
}
