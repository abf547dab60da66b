#include "hub/server/replay_trials.hpp"

#include "actors/table/replay.hpp"
#include "engines/host/loader.hpp"
#include "engines/host/registry.hpp"
#include "engines/process/direct_channel.hpp"
#include "engines/process/engine_files.hpp"
#include "engines/process/frames.hpp"
#include "engines/process/program.hpp"
#include "engines/process/wire_format.hpp"
#include "hub/core/limits.hpp"
#include "hub/journal/encoding.hpp"
#include "hub/journal/group_commit.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <system_error>
#include <utility>
#include <variant>

namespace gamehub::server {

namespace {

using actors::system::trial_outcome;
using base::child_process;
using engines::process::passed;
using std::chrono::steady_clock;

// What the child sends when it is ready, and after each trial, whatever its result: the hub finds
// out again.
constexpr std::string_view alive = "alive";

std::string encoded(const actors::system::suspect& game) {
  std::string out;
  journal::append_varint(game.records.size(), out);
  journal::append_encoded(game.header, out);
  for (const auto& r : game.records) journal::append_encoded(r, out);
  return out;
}

// The moves that are tried.
constexpr std::size_t moves_max = 512;

// Replays the game, then tries what its players may do next: each move in the way of a game, and
// what its players and spectators are shown of it.
void try_game(const engines::host::engine& rules, const journal::game_log& log) {
  auto replayed = actors::table::replay(rules, log.header, log.records);
  const auto* match = std::get_if<engines::host::match>(&replayed);
  if (match == nullptr) return;
  std::vector<engines::action> moves;
  std::string shown;
  std::size_t tried = 0;
  for (int seat = 0; seat < match->players(); ++seat) {
    match->view_json(seat, shown);
    moves.clear();
    if ((match->to_move() & engines::only(seat)) != 0) match->legal_actions(seat, moves);
    for (const auto move : moves) {
      if (++tried > moves_max) return;
      auto next = match->clone();
      next.apply(seat, move);
      next.hash();
      next.view_json(engines::spectator, shown);
    }
  }
}

bool answers(const child_process& child, std::chrono::milliseconds within) {
  std::string reply;
  return engines::process::receive(child.channel(), reply, steady_clock::now() + within) ==
         passed::whole;
}

std::unique_ptr<child_process> started(const trial_settings& s, const std::string& what) {
  auto limits = s.limits;
  // The program runs in a process that the child starts.
  limits.processes = engines::process::is_program(what);
  if (!limits.processes) limits.readable = engines::process::readable_files(what);
  try {
    auto child = std::make_unique<child_process>(
        s.program, std::vector<std::string>{serve_replays_verb, what}, limits);
    return answers(*child, limits::isolate_start) ? std::move(child) : nullptr;
  } catch (const std::system_error&) {
    return nullptr;
  }
}

// Takes the child away if it ends.
trial_outcome replayed_in(std::unique_ptr<child_process>& child, const std::string& game,
                          std::chrono::milliseconds within) {
  const auto until = steady_clock::now() + within;
  std::string reply;
  auto how = engines::process::send(child->channel(), game, until);
  if (how == passed::whole) how = engines::process::receive(child->channel(), reply, until);
  if (how == passed::whole) return {trial_outcome::way::survived, {}};
  const auto end = std::exchange(child, nullptr)->kill();
  const auto late = how == passed::out_of_time;
  return {
      trial_outcome::way::died,
      late ? "did not end within " + std::to_string(within.count()) + " ms" : base::in_words(end)};
}

}  // namespace

int serve_replays(const std::string& what) {
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  std::variant<engines::host::engine, std::string> found = "there is no engine " + what;
  if (engines::process::is_program(what))
    found = engines::process::open_program(what, {});
  else if (what.find('/') != what.npos)
    found = engines::host::load(what);
  else if (const auto built_in = engines::host::registry::built_in().find(what))
    found = *built_in;
  if (const auto* wrong = std::get_if<std::string>(&found)) {
    std::cerr << *wrong << '\n';
    return EXIT_FAILURE;
  }
  const auto& rules = std::get<engines::host::engine>(found);
  std::string game;
  do {
    if (engines::process::send(base::child_channel, alive, engines::process::no_deadline) !=
        passed::whole)
      return EXIT_FAILURE;
    if (engines::process::receive(base::child_channel, game, engines::process::no_deadline) !=
        passed::whole)
      // Runs no exit handlers of the engine.
      std::_Exit(EXIT_SUCCESS);
    std::string_view bytes = game;
    std::uint64_t records = 0;
    const auto log =
        journal::take_varint(bytes, records) ? journal::log_of(bytes, records) : std::nullopt;
    try {
      if (log) try_game(rules, *log);
    } catch (const engines::host::engine_failure&) {
      // An exception ends a game, not its hub.
    }
  } while (true);
}

std::vector<trial_outcome> try_replays(
    const trial_settings& s, std::span<const actors::system::suspect> games,
    const std::function<std::string(const journal::game_header&)>& what_of) {
  std::vector<trial_outcome> out;
  std::map<std::string, std::unique_ptr<child_process>> children;
  for (const auto& game : games) {
    auto& result = out.emplace_back();
    const auto bytes = encoded(game);
    if (bytes.size() > engines::process::message_bytes_max) continue;
    const auto what = what_of(game.header);
    auto& child = children[what];
    if (!child) child = started(s, what);
    if (child) result = replayed_in(child, bytes, s.replay);
  }
  return out;
}

}  // namespace gamehub::server
