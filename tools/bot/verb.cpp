#include "tools/bot/verb.hpp"

#include "hub/config/program.hpp"
#include "hub/plugins/plugin_set.hpp"
#include "tools/bot/check.hpp"
#include "tools/bot/check_request.hpp"

#include <cstdlib>
#include <iostream>

namespace gamehub::tools::bot {

int run(int argc, const char* const* argv) {
  return config::run_request(parse(argc, argv), [](const check_request& request) {
    const plugins::plugin_set all{request.plugins};
    return check(request, all.engines(), std::cout) ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}

}  // namespace gamehub::tools::bot
