#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gateways/protocol.hpp"
#include "hub/app/archive/arguments.hpp"
#include "hub/app/archive/verbs.hpp"
#include "hub/app/arena/arguments.hpp"
#include "hub/app/arena/verbs.hpp"
#include "hub/app/bench/bench.hpp"
#include "hub/app/bots/check.hpp"
#include "hub/app/bots/check_request.hpp"
#include "hub/app/child_entry.hpp"
#include "hub/app/cores.hpp"
#include "hub/app/engine_list.hpp"
#include "hub/app/hub.hpp"
#include "hub/app/isolation/serve_engine.hpp"
#include "hub/app/kit/arguments.hpp"
#include "hub/app/kit/check.hpp"
#include "hub/app/kit/probe.hpp"
#include "hub/app/log.hpp"
#include "hub/app/new_engine/verb.hpp"
#include "hub/app/operate/arguments.hpp"
#include "hub/app/operate/orders.hpp"
#include "hub/app/operate/verbs.hpp"
#include "hub/app/plugins/supply.hpp"
#include "hub/app/settings.hpp"
#include "hub/app/udp_lab/verb.hpp"

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

int list_engines(const command& asked) {
  const plugins::supply all{asked.settings.plugins};
  return print(asked.json ? engine_json(all.engines(), all.plugins(), gateways::protocols())
                          : engine_list(all.engines(), all.plugins(), gateways::protocols()));
}

int carry_out(const command& asked) {
  switch (asked.what) {
    case command::verb::serve:
      log::set_up(asked.settings.log_format, asked.settings.log_level);
      return serve(asked.settings);
    case command::verb::check:
      for (const auto& remark : check(asked.settings)) std::cerr << "gamehub: " << remark << '\n';
      std::cerr << "configuration ok\n";
      return EXIT_SUCCESS;
    case command::verb::engines: return list_engines(asked);
  }
  return EXIT_FAILURE;
}

int carry_out(const bots::check_request& asked) {
  const plugins::supply all{asked.plugins};
  return bots::check(asked, all.engines(), std::cout) ? EXIT_SUCCESS : EXIT_FAILURE;
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

int run_engine(int argc, const char* const* argv) {
  // How the check asks an engine, in a process of its own.
  if (argc == 4 && std::string_view{argv[2]} == kit::probe_verb) return kit::probe(argv[3]);
  const std::string_view what = argc > 2 ? argv[2] : "";
  if (what == "new") return carry_out(parse_new_engine(argc, argv));
  if (what != "check" && !what.starts_with('-'))
    throw operator_mistake{
        "say what to do with an engine, new or check, as in gamehub engine new hexapawn; gamehub "
        "engine --help tells more"};
  return carry_out(kit::parse_check(argc, argv));
}

int run(int argc, const char* const* argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  // The load has flags of its own and nothing of the hub's settings.
  if (verb == "bench") return bench::run(argc - 1, argv + 1);
  if (verb == "udp-lab") return carry_out(udp_lab::parse(argc, argv));
  if (verb == "engine") return run_engine(argc, argv);
  if (verb == "bot") return carry_out(bots::parse(argc, argv));
  if (verb == isolation::serve_engine_verb) return isolation::serve_engine(argc > 2 ? argv[2] : "");
  const surroundings around{variable, gateways::protocols(), cores(), GAMEHUB_VERSION};
  if (verb == "journal" || verb == "verify") return carry_out(parse_archive(argc, argv, around));
  if (verb == "status" || verb == "drain" || verb == "healthcheck" || is_order(verb))
    return carry_out(parse_operate(argc, argv, around));
  if (verb == "token" || verb == "arena") return carry_out(parse_arena(argc, argv, around));
  return carry_out(parse(argc, argv, around));
}

}  // namespace
}  // namespace gamehub::app

int main(int argc, char** argv) {
  using gamehub::app::operator_mistake;
  gamehub::app::enter_child(argc, argv);
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
