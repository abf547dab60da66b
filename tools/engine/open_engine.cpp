#include "tools/engine/open_engine.hpp"

#include "engines/host/options.hpp"
#include "engines/host/registry.hpp"
#include "engines/process/direct_channel.hpp"
#include "engines/process/program.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/option.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

namespace gamehub::tools::engine {

using engines::host::match;

engines::host::engine open_engine(const std::string& target) {
  const auto built_in = engines::host::registry::built_in();
  if (const auto found = built_in.find(target)) return *found;
  auto what = target;
  if (!engines::process::is_program(target)) {
    std::error_code unknown;
    if (!std::filesystem::exists(target, unknown)) {
      std::string ids;
      for (const auto& each : built_in.all()) ids += std::string{each.id()} + ", ";
      throw base::usage_error{"there is no engine and no file " + config::shown(target) +
                              ": give " + ids +
                              "the file of a plugin, or the command of a program"};
    }
    what = std::filesystem::absolute(target).string();
  } else if (target.ends_with(engines::process::program_extension)) {
    what = engines::process::text_of(target);
  }
  auto opened = engines::process::open_program(what, {});
  if (const auto* why = std::get_if<std::string>(&opened)) throw base::usage_error{*why};
  return std::get<engines::host::engine>(opened);
}

match begin_match(const engines::host::engine& rules, const std::string& options, int players) {
  if (const auto wrong = engines::host::validate_options(options, rules.options_schema()))
    throw base::usage_error{"--options: " + *wrong};
  auto made = rules.create(options, players);
  if (const auto* why = std::get_if<std::string>(&made))
    throw base::usage_error{std::string{rules.id()} +
                            " refuses the options or the number of players: " + *why +
                            "; ask for others"};
  return std::get<match>(std::move(made));
}

}  // namespace gamehub::tools::engine
