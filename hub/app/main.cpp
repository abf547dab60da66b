#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engines/registry.hpp"
#include "gateways/protocol.hpp"
#include "hub/app/archive/arguments.hpp"
#include "hub/app/archive/verbs.hpp"
#include "hub/app/bench/bench.hpp"
#include "hub/app/cores.hpp"
#include "hub/app/engine_list.hpp"
#include "hub/app/hub.hpp"
#include "hub/app/log.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* text = std::getenv(name.c_str());
  return text == nullptr ? std::nullopt : std::optional<std::string>{text};
}

int print(const std::string& text) {
  std::cout << text << std::flush;
  if (std::cout) return EXIT_SUCCESS;
  std::cerr << "gamehub: standard output can't be written.\n";
  return EXIT_FAILURE;
}

int carry_out(const command& asked) {
  switch (asked.what) {
    case command::verb::serve:
      log::set_up(asked.settings.log_format, asked.settings.log_level);
      return serve(asked.settings);
    case command::verb::check:
      check(asked.settings);
      std::cerr << "configuration ok\n";
      return EXIT_SUCCESS;
    case command::verb::engines:
      return print(engine_list(engines::registry::built_in(), gateways::protocols()));
  }
  return EXIT_FAILURE;
}

// Does what a command line asked for, or prints what is to be said of it.
template <class Asked>
int carry_out(const std::variant<Asked, reply>& asked) {
  if (const auto* what = std::get_if<Asked>(&asked)) return carry_out(*what);
  const auto& said = std::get<reply>(asked);
  if (said.exit_code == 0) return print(said.text + '\n');
  std::cerr << said.text << '\n';
  return said.exit_code;
}

int run(int argc, const char* const* argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  // The load has flags of its own and nothing of the hub's settings.
  if (verb == "bench") return bench::run(argc - 1, argv + 1);
  const surroundings around{variable, gateways::protocols(), cores(), GAMEHUB_VERSION};
  if (verb == "journal" || verb == "verify") return carry_out(parse_archive(argc, argv, around));
  return carry_out(parse(argc, argv, around));
}

}  // namespace
}  // namespace gamehub::app

int main(int argc, char** argv) {
  using gamehub::app::operator_mistake;
  // Whoever read our output may go without ending us: the write fails instead.
  std::signal(SIGPIPE, SIG_IGN);
  // Nor may a file that can grow no more: its journal waits until it can.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return gamehub::app::run(argc, argv);
  } catch (const operator_mistake& mistake) {
    std::cerr << gamehub::app::sentence(mistake) << '\n';
    return gamehub::app::operator_mistake_code;
  } catch (const std::exception& fault) {
    std::cerr << "gamehub: ended by a fault of its own: " << fault.what() << '\n';
    return EXIT_FAILURE;
  }
}
