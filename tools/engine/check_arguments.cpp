#include "tools/engine/check_arguments.hpp"

#include "engines/abi.h"
#include "engines/check/limits.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

namespace gamehub::tools::engine {

namespace {

template <class Number>
Number number(const std::string& flag, const std::string& text, Number least, Number most) {
  Number out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size() || out < least || out > most) {
    std::ostringstream message;
    message << flag << " is " << config::shown(text) << ": give a number from " << least << " to "
            << most;
    throw base::usage_error{message.str()};
  }
  return out;
}

class check_line {
 public:
  check_line() {
    app_.require_subcommand(1);
    engine_->require_subcommand(1);
    for (auto* each : {&app_, engine_, check_})
      each->set_help_flag("-h,--help", "print this and exit");
    check_->get_formatter()->column_width(name_columns);
    check_->add_option("ENGINE", out_.target, "file of a plugin, or id of a built-in engine")
        ->type_name("")
        ->required();
    config::add_text(*check_, "--seeds", seeds_, "N", "number of games; default: 100");
    config::add_text(*check_, "--seed", seed_, "S",
                     "seed of the first game, increased by one for each next game; default: 1");
    config::add_text(*check_, "--options", out_.options, "JSON", "options of the engine");
    config::add_text(*check_, "--players", players_, "N", "number of players");
    config::add_text(*check_, "--seconds", seconds_, "S",
                     "time after which no new game starts; default: 20");
    check_->add_flag("--playthrough", out_.playthrough, "print the game of the first seed");
    config::add_text(*check_, "--perft", perft_, "DEPTH",
                     "count the move sequences of this length");
    check_->add_flag("--quick", out_.quick,
                     "the short check that a hub runs before it loads a plugin");
    check_->add_flag("--reveals-midway", out_.reveals_midway,
                     "secrets become public during a match, such as hands between two deals");
    check_->add_flag("--json", out_.json, "print one JSON object");
    check_->footer(
        "Plays random games in a separate process and checks every answer of the engine against "
        "the contract.\nExit code: 0 if the engine keeps the contract, 1 if not, 2 for a mistake.");
  }

  std::variant<engines::check::check_request, config::early_exit> read(int argc,
                                                                       const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, "gamehub engine check"))
      return *std::move(help);
    return finished();
  }

 private:
  static constexpr std::size_t name_columns = 28;

  bool given(const char* flag) const { return check_->get_option(flag)->count() > 0; }

  engines::check::check_request finished() {
    if (out_.quick) {
      out_.seeds = engines::check::quick_seeds;
      out_.seconds = std::chrono::duration<double>(engines::check::quick_time).count();
      // A plugin can't declare this property.
      out_.reveals_midway = true;
    }
    if (given("--seeds")) out_.seeds = number("--seeds", seeds_, 1, engines::check::seeds_max);
    if (given("--seed"))
      out_.seed = number("--seed", seed_, std::uint64_t{0}, std::uint64_t{UINT64_MAX});
    if (given("--players")) out_.players = number("--players", players_, 1, GAMEHUB_SEATS_MAX);
    if (given("--seconds"))
      out_.seconds =
          number("--seconds", seconds_, engines::check::seconds_min, engines::check::seconds_max);
    if (given("--perft"))
      out_.perft = number("--perft", perft_, 1, engines::check::perft_depth_max);
    return out_;
  }

  engines::check::check_request out_;
  std::string seeds_, seed_, players_, seconds_, perft_;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* engine_ = app_.add_subcommand("engine", "Tools for authors of engines.");
  CLI::App* check_ =
      engine_->add_subcommand("check", "Checks that an engine keeps the contract of engines.");
  // Only for --help: request.cpp parses this subcommand.
  CLI::App* new_ = engine_->add_subcommand("new", "Creates the project of a new engine.");
};

}  // namespace

std::variant<engines::check::check_request, config::early_exit> parse_check(
    int argc, const char* const* argv) {
  try {
    return check_line{}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::tools::engine
