#include "hub/app/kit/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>

#include "engines/abi.h"
#include "hub/app/kit/limits.hpp"
#include "hub/app/verb_line.hpp"

namespace gamehub::app::kit {

namespace {

template <class Number>
Number number(const std::string& flag, const std::string& text, Number least, Number most) {
  Number out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size() || out < least || out > most) {
    std::ostringstream wanted;
    wanted << flag << " is " << shown(text) << ": give a number from " << least << " to " << most;
    throw usage_error{wanted.str()};
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
    check_
        ->add_option("ENGINE", out_.target,
                     "the file of a plugin, or the id of an engine that is built in")
        ->type_name("")
        ->required();
    add_text(*check_, "--seeds", seeds_, "N", "how many games are played, 100 by default");
    add_text(*check_, "--seed", seed_, "S",
             "the first game's seed, 1 by default; each game has the next");
    add_text(*check_, "--options", out_.options, "JSON", "play with these options of the engine");
    add_text(*check_, "--players", players_, "N", "play with so many");
    add_text(*check_, "--seconds", seconds_, "S", "play no game more after this, 20 by default");
    check_->add_flag("--playthrough", out_.playthrough, "print the first seed's game as a text");
    add_text(*check_, "--perft", perft_, "DEPTH", "count the ways to play so many turns");
    check_->add_flag("--quick", out_.quick, "what a hub asks of a plugin before it takes it");
    check_->add_flag(
        "--reveals-midway", out_.reveals_midway,
        "secrets become public while a match goes on, such as hands between two deals");
    check_->add_flag("--json", out_.json, "print one JSON object");
    check_->footer(
        "Plays at random and holds every answer of the engine against the contract, in a process "
        "of its own.\nExit code: 0 if the contract is kept, 1 if not, 2 for a mistake.");
  }

  std::variant<check_request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, "gamehub engine check")) return *std::move(help);
    return finished();
  }

 private:
  static constexpr std::size_t name_columns = 28;

  bool given(const char* flag) const { return check_->get_option(flag)->count() > 0; }

  check_request finished() {
    if (out_.quick) {
      out_.seeds = quick_seeds;
      out_.seconds = std::chrono::duration<double>(quick_time).count();
      // A plugin can't say that it is one of those.
      out_.reveals_midway = true;
    }
    if (given("--seeds")) out_.seeds = number("--seeds", seeds_, 1, seeds_max);
    if (given("--seed"))
      out_.seed = number("--seed", seed_, std::uint64_t{0}, std::uint64_t{UINT64_MAX});
    if (given("--players")) out_.players = number("--players", players_, 1, GAMEHUB_SEATS_MAX);
    if (given("--seconds")) out_.seconds = number("--seconds", seconds_, seconds_min, seconds_max);
    if (given("--perft")) out_.perft = number("--perft", perft_, 1, perft_depth_max);
    return out_;
  }

  check_request out_;
  std::string seeds_, seed_, players_, seconds_, perft_;

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* engine_ = app_.add_subcommand("engine", "Helps who writes an engine.");
  CLI::App* check_ =
      engine_->add_subcommand("check", "Says whether an engine keeps the contract of engines.");
  // For --help alone: what follows it is read elsewhere.
  CLI::App* new_ = engine_->add_subcommand("new", "Makes the project of a new engine.");
};

}  // namespace

std::variant<check_request, reply> parse_check(int argc, const char* const* argv) {
  try {
    return check_line{}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app::kit
