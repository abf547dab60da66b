#include "hub/plugins/plugin_probe.hpp"

#include "engines/check/check.hpp"
#include "engines/check/limits.hpp"
#include "engines/check/report_text.hpp"
#include "engines/process/program.hpp"

#include <chrono>
#include <exception>

namespace gamehub::plugins {

probed probe_plugin(const std::filesystem::path& file) {
  engines::check::check_request request;
  request.target = file.string();
  request.quick = true;
  request.seeds = engines::check::quick_seeds;
  const bool program = engines::process::is_program(request.target);
  request.seconds = std::chrono::duration<double>{program ? engines::check::quick_program_time
                                                          : engines::check::quick_time}
                        .count();
  // The ABI has no flag for secrets that become public during a game, so they are allowed.
  request.reveals_midway = true;
  request.examples = true;
  try {
    const auto found = engines::check::check(request);
    probed out;
    out.examples = found.examples;
    if (!found.unusable.empty())
      out.refusal = found.unusable;
    else if (!found.broken.empty())
      out.refusal = "it breaks the contract of engines: " +
                    engines::check::sentence_of(found.broken.front()) +
                    "; gamehub engine check tells more";
    return out;
  } catch (const std::exception& e) {
    return std::optional{std::string{"it can't be tried: "} + e.what()};
  }
}

}  // namespace gamehub::plugins
