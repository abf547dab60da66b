#include "engines/check/check.hpp"
#include "engines/check/limits.hpp"
#include "engines/check/play_check.hpp"
#include "engines/check/request_json.hpp"
#include "engines/check/shared_report.hpp"
#include "engines/check/trace_lines.hpp"
#include "engines/contract/call_monitor.hpp"
#include "engines/contract/contract.hpp"
#include "engines/contract/move_examples.hpp"
#include "engines/contract/perft.hpp"
#include "engines/contract/playthrough.hpp"
#include "engines/contract/trace.hpp"
#include "engines/host/loader.hpp"
#include "engines/host/options.hpp"
#include "engines/host/registry.hpp"
#include "engines/process/direct_channel.hpp"
#include "engines/process/program.hpp"
#include "hub/base/child_process.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <time.h>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::check {

namespace {

using nlohmann::json;

// Text of an engine may be invalid UTF-8.
std::string dump(const json& what) {
  return what.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::chrono::nanoseconds processor_time() {
  timespec spent{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return std::chrono::seconds{spent.tv_sec} + std::chrono::nanoseconds{spent.tv_nsec};
}

// Ends the process when a call does not return, because the calling thread cannot. On a busy
// machine a call lasts longer than it works.
class patience {
 public:
  patience(const shared_report& shared, std::chrono::milliseconds most)
      : shared_(shared), most_(most), thread_([this] { watch(); }) {}
  ~patience() {
    {
      const std::lock_guard lock{guard_};
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  patience(const patience&) = delete;
  patience& operator=(const patience&) = delete;

 private:
  using clock = std::chrono::steady_clock;

  void watch() {
    const auto& note = shared_.note();
    auto number = note.number.load();
    auto since = clock::now();
    auto worked = processor_time();
    std::unique_lock lock{guard_};
    while (!changed_.wait_for(lock, most_ / 20, [this] { return over_; })) {
      const auto now = note.number.load();
      const bool inside = note.inside.load() != contract::function::none;
      if (now != number || !inside) {
        number = now;
        since = clock::now();
        worked = processor_time();
      } else if (const auto lasted = clock::now() - since;
                 lasted > most_ * blocked_factor ||
                 (lasted > most_ && processor_time() - worked > most_ / 2)) {
        shared_.abort();
        std::_Exit(EXIT_FAILURE);
      }
    }
  }

  const shared_report& shared_;
  const std::chrono::milliseconds most_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

breach breach_at(const contract::game_position& where) {
  breach out;
  out.in_game = where.in_game;
  out.seed = where.seed;
  out.after = contract::describe(where.turns);
  out.state = where.state;
  out.options = where.with.options_json;
  out.players = where.with.players;
  return out;
}

json in_json(const contract::violation& found) {
  auto out = breach_at(found.where);
  out.promise = found.promise;
  out.detail = found.detail;
  out.other_seed = found.other_seed;
  out.other = found.other;
  return out;
}

json in_json(const std::vector<contract::violation>& all) {
  json out = json::array();
  for (const auto& each : all) out.push_back(in_json(each));
  return out;
}

json in_json(const contract::extent& of) {
  return seen{of.playouts, of.plies, of.plies_most, of.actions_most, of.state_bytes_most};
}

json in_json(const contract::call_monitor& times) {
  json out = json::array();
  for (std::size_t i = 1; i < contract::function_count; ++i) {
    const auto function = static_cast<contract::function>(i);
    const auto& of = times.of(function);
    if (of.count() == 0) continue;
    out.push_back(calls{std::string{contract::to_string(function)}, of.count(),
                        of.within(0.5).count(), of.within(0.99).count(), of.most().count(),
                        of.longer_than(call_time_slow)});
  }
  return out;
}

contract::settings settings_of(const check_request& asked) {
  contract::settings out;
  out.options_json = asked.options;
  out.players = asked.players;
  out.playouts = asked.seeds;
  out.seed = asked.seed;
  out.reveals_midway = asked.reveals_midway;
  out.time_max = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>{asked.seconds});
  return out;
}

// Starts the program. Its failure ends the probe, as the crash of a plugin does.
std::variant<process::opened_program, std::string> start(const check_request& asked,
                                                         shared_report& shared) {
  process::direct_settings with;
  with.limits.memory_bytes = asked.quick ? quick_memory_bytes_max : memory_bytes_max;
  // The channel reports a start that takes too long; `patience` reports a call.
  const auto most = asked.quick ? quick_call_time_max : call_time_max;
  with.start = most * (blocked_factor - 1);
  with.call = most * (blocked_factor + 1);
  with.forward_output = true;
  with.on_failure = [&shared](const std::string& why) {
    shared.append(dump({{"died", why}}) + '\n');
    std::_Exit(EXIT_FAILURE);
  };
  return process::start_program(asked.target, with);
}

std::variant<host::engine, std::string> find(const std::string& target) {
  const auto built_in = host::registry::built_in();
  if (const auto found = built_in.find(target)) return *found;
  std::error_code unknown;
  if (target.find_first_of("/.") != target.npos || std::filesystem::exists(target, unknown))
    return host::load(target);
  std::string ids;
  for (const auto& each : built_in.all()) ids += std::string{each.id()} + ", ";
  return "there is no engine and no file " + target + ": give " + ids +
         "or the file of a plugin, such as ./" + target + ".so";
}

// What is checked: an engine, or a sentence that says why it can't be opened.
struct found_target {
  std::variant<host::engine, std::string> engine;
  std::optional<process::opened_program> program;  // Nothing for other engines.
};

found_target open_target(const check_request& asked, shared_report& shared) {
  if (!process::is_program(asked.target)) return {find(asked.target), std::nullopt};
  auto opened = start(asked, shared);
  if (auto* why = std::get_if<std::string>(&opened)) return {std::move(*why), std::nullopt};
  auto& program = std::get<process::opened_program>(opened);
  return {program.rules, program};
}

// The check of one engine in the child process.
class asking {
 public:
  asking(const host::engine& rules, const check_request& asked, shared_report& shared)
      : rules_(rules), asked_(asked), shared_(shared), with_(settings_of(asked)) {
    with_.at = [this](const contract::game_position& where) {
      shared_.set_place(dump(json(breach_at(where))));
    };
  }

  // Returns true if the contract is kept.
  bool inspect() {
    auto result = contract::inspect(rules_, with_);
    say({{"broken", in_json(result.found)}, {"seen", in_json(result.seen)}});
    if (result.found.empty()) return true;
    // A broken engine may crash here, so the violations were written before.
    if (!asked_.quick) {
      for (auto& each : result.found)
        each = contract::minimize(rules_, std::move(each), shrinking_time);
      say({{"broken", in_json(result.found)}});
    }
    return false;
  }

  void trace() {
    auto with = with_;
    with.playouts = std::min(with.playouts, asked_.quick ? quick_seeds_compared : seeds_compared);
    with.time_max = std::min<std::chrono::nanoseconds>(
        with.time_max, asked_.quick ? quick_comparing_time : comparing_time);
    std::size_t bytes = 0;
    contract::trace(rules_, with, [&](const auto& where, const auto& what) {
      const auto line = trace_line(where, what) + '\n';
      shared_.append(line);
      bytes += line.size();
      return bytes < trace_bytes_max;
    });
  }

  // Returns true if `play` of the program is what its single requests are.
  bool compare_play(const process::opened_program& program) {
    auto with = with_;
    with.playouts = std::min(with.playouts, asked_.quick ? quick_seeds_of_play : seeds_of_play);
    with.time_max = std::min<std::chrono::nanoseconds>(with.time_max,
                                                       asked_.quick ? quick_play_time : play_time);
    const auto result = check::compare_play(program, with, [&note = shared_.note()](bool begins) {
      note.number.fetch_add(1);
      note.inside = begins ? contract::function::play : contract::function::none;
    });
    say({{"broken", in_json(result.found)}, {"played", result.games}});
    return result.found.empty();
  }

  void report_examples() {
    contract::example_bounds bounds;
    bounds.time = examples_time;
    say({{"examples", contract::examples_json(contract::move_examples(
                          rules_, asked_.seed, {asked_.options, asked_.players}, bounds))}});
  }

  // Adds the requested extras, which are not part of the contract.
  void report_extras() {
    if (asked_.playthrough)
      say({{"playthrough",
            contract::playthrough(rules_, asked_.seed, asked_.options, asked_.players)}});
    if (asked_.perft == 0) return;
    json rows = json::array();
    for (int depth = 1; depth <= asked_.perft; ++depth) {
      const auto begin = std::chrono::steady_clock::now();
      const auto row = contract::perft(rules_, {asked_.options, asked_.players}, depth).back();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      rows.push_back(perft_row{row.depth, row.nodes, row.ended, took.count()});
    }
    say({{"perft", std::move(rows)}});
  }

  void say(const json& what) { shared_.append(dump(what) + '\n'); }

 private:
  const host::engine rules_;
  const check_request& asked_;
  shared_report& shared_;
  contract::settings with_;
};

// Returns why the request is invalid, or nothing.
std::optional<std::string> unfit(const host::engine& rules, const check_request& asked) {
  const std::string name{rules.id()};
  if (const auto why = contract::uncountable(rules); why && asked.perft != 0)
    return "--perft can't count the nodes of " + name + ", for " + *why + ": leave it out";
  if (const auto wrong = host::validate_options(asked.options, rules.options_schema()))
    return "--options: " + *wrong;
  if (asked.options.empty() && asked.players == 0) return std::nullopt;
  const auto made = rules.create(asked.options, asked.players);
  if (const auto* why = std::get_if<std::string>(&made))
    return name + " refuses the options or the number of players: " + *why + "; ask for others";
  return std::nullopt;
}

void ask(const host::engine& bare, const std::optional<process::opened_program>& program,
         const check_request& asked, shared_report& shared) {
  asking plain{bare, asked, shared};
  plain.say({{"engine", declared{std::string{bare.id()}, bare.version_text(), bare.actions_max(),
                                 bare.plies_max(), bare.state_bytes_max()}}});
  // The monitor also records the current call, which is always needed.
  static contract::call_monitor times;
  times.note = &shared.note();
  const auto rules = contract::monitored(bare, times);
  if (const auto why = unfit(rules, asked)) return plain.say({{"unusable", *why}});
  asking watched{rules, asked, shared};
  if (asked.trace_only) return watched.trace();
  const bool kept = watched.inspect();
  watched.say({{"calls", in_json(times)}});
  if (!kept) return;
  if (program && program->described.protocol_minor >= process::minor_with_play &&
      !plain.compare_play(*program))
    return;
  watched.trace();
  if (asked.examples) watched.report_examples();
  plain.report_extras();
}

}  // namespace

int probe() {
  auto shared = shared_report::open(base::child_shared);
  const auto asked = json::parse(shared.request()).get<check_request>();
  // Fill fresh memory with a pattern, so that reads of uninitialised memory differ between
  // processes. By a call, because the environment variable would have to be set in the running hub.
  constexpr int something = 0xa5;
  if (asked.trace_only) mallopt(M_PERTURB, something);
  const patience watching{shared, asked.quick ? quick_call_time_max : call_time_max};
  // Loading already runs code of the engine.
  shared.note().inside = contract::function::load_file;
  const auto found = open_target(asked, shared);
  shared.note().inside = contract::function::none;
  if (const auto* why = std::get_if<std::string>(&found.engine))
    shared.append(dump({{"unusable", *why}}) + '\n');
  else
    ask(std::get<host::engine>(found.engine), found.program, asked, shared);
  shared.append("{\"done\":true}\n");
  return EXIT_SUCCESS;
}

}  // namespace gamehub::engines::check
