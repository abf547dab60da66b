#include "engines/check/check.hpp"

#include "engines/check/limits.hpp"
#include "engines/check/report_text.hpp"
#include "engines/check/request_json.hpp"
#include "engines/check/shared_report.hpp"
#include "engines/check/trace_lines.hpp"
#include "engines/process/engine_files.hpp"
#include "engines/process/program.hpp"
#include "hub/base/child_process.hpp"
#include "hub/base/usage_error.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace gamehub::engines::check {

namespace {

using nlohmann::json;

// Parses the results of a child. They are untrusted, because the engine could write to that memory.
json merge_lines(const std::string& report) {
  json out = json::object();
  for (std::size_t begin = 0; begin < report.size();) {
    const auto end = std::min(report.find('\n', begin), report.size());
    const auto line =
        json::parse(report.begin() + static_cast<std::ptrdiff_t>(begin),
                    report.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line.is_object()) out.update(line);
    begin = end + 1;
  }
  return out;
}

template <class T>
T value_or_default(const json& from, const char* name) {
  try {
    return from.value(name, T{});
  } catch (const json::exception&) {
    return {};
  }
}

// Returns the examples if they are what clients can be sent: the process could write anything.
std::string examples_in(const json& report) {
  auto out = value_or_default<std::string>(report, "examples");
  const bool good = out.size() <= examples_bytes_max && out.starts_with('[') && json::accept(out);
  return good ? out : std::string{};
}

breach last_place(const shared_report& shared) {
  const auto place = json::parse(shared.place(), nullptr, false);
  try {
    return place.is_object() ? place.get<breach>() : breach{};
  } catch (const json::exception&) {
    return {};
  }
}

// "apply (seat 0, action 4)", or nothing between two calls.
std::string call_text(const contract::current_call& note) {
  const auto inside = note.inside.load();
  std::string name{contract::to_string(inside)};
  switch (inside) {
    case contract::function::apply:
    case contract::function::audience:
      return name + " (seat " + std::to_string(note.seat) + ", action " +
             std::to_string(note.value) + ')';
    case contract::function::action_to_text:
    case contract::function::action_to_json:
      return name + " (action " + std::to_string(note.value) + ')';
    case contract::function::view_json:
    case contract::function::legal_actions:
      return name + " (seat " + std::to_string(note.seat) + ')';
    default: return name;
  }
}

// Returns why the child process did not finish.
breach crash_breach(const shared_report& shared, const base::child_end& end,
                    const check_request& asked) {
  auto out = last_place(shared);
  const auto& note = shared.note();
  const bool inside = note.inside.load() != contract::function::none;
  const bool loading = note.inside.load() == contract::function::load_file;
  const auto in = loading  ? "while it was loaded, "
                  : inside ? "in " + call_text(note) + ", "
                           : std::string{};
  const auto seconds =
      std::chrono::duration<double>(asked.quick ? quick_call_time_max : call_time_max).count();
  const auto died = value_or_default<std::string>(merge_lines(shared.report()), "died");
  if (!died.empty()) {
    out.promise = "the engine's process fails";
    out.detail = in + "it " + died;
  } else if (shared.aborted()) {
    out.promise = "a call does not come back";
    out.detail = call_text(note) + " still ran after " + std::to_string(static_cast<int>(seconds)) +
                 " seconds";
  } else if (end.how == base::child_end::way::signalled) {
    out.promise = "the engine crashes";
    out.detail = in + "the process " + base::in_words(end);
  } else if (end.how == base::child_end::way::out_of_time) {
    out.promise = "the engine is too slow to be checked";
    out.detail = in + "the process " + base::in_words(end);
  } else {
    out.promise = "the engine ends the program";
    out.detail = in + "the process " + base::in_words(end);
  }
  return out;
}

struct probed {
  std::string report;
  std::string output;
  std::optional<breach> death;
};

probed run_probe(const check_request& asked) {
  const shared_report shared{json(asked).dump(-1, ' ', false, json::error_handler_t::replace)};
  auto patience =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>{asked.seconds}) +
      (asked.quick ? quick_grace : grace);
  // No time limit: the user requested this work.
  if (asked.perft != 0) patience += std::chrono::hours{24};
  base::child_limits limits;
  // The code of a program runs in a process that the probe starts, which has other bounds.
  limits.processes = process::is_program(asked.target);
  limits.memory_bytes = asked.quick ? quick_memory_bytes_max : memory_bytes_max;
  if (!limits.processes) limits.readable = process::readable_files(asked.target);
  auto end = base::run_self({"engine", probe_verb}, limits, patience, shared.file());
  probed out{shared.report(), std::move(end.output), std::nullopt};
  const bool well = end.how == base::child_end::way::exited && end.code == EXIT_SUCCESS;
  if (!well || !merge_lines(out.report).contains("done"))
    out.death = crash_breach(shared, end, asked);
  return out;
}

// Plays the same games in another process and compares the traces.
void compare_with_another(verdict& so_far, const probed& first, check_request asked) {
  asked.trace_only = true;
  const auto second = run_probe(asked);
  auto found = compared(first.report, second.report);
  so_far.compared = found.games;
  if (found.difference) so_far.broken.push_back(std::move(*found.difference));
  if (second.death) so_far.broken.push_back(*second.death);
}

std::string first_line(const std::string& text) {
  constexpr std::size_t shown_max = 200;
  return text.substr(0, std::min(text.find('\n'), shown_max));
}

void warn(verdict& of, const std::string& output) {
  if (of.kept() && of.seen.playouts == 0)
    of.warnings.emplace_back("no game came to its end in the time that there was");
  for (const auto& each : of.calls) {
    // The player has a time budget and runs on a search thread.
    if (each.function == "player choose") continue;
    if (each.slow > 1 || std::chrono::nanoseconds{each.most} > call_time_very_slow)
      of.warnings.push_back(each.function + " takes up to " + milliseconds_in_words(each.most) +
                            ", for which all games of a loop wait");
  }
  if (!output.empty())
    of.warnings.push_back("the engine writes to standard output or error, such as \"" +
                          first_line(output) + '"');
}

}  // namespace

verdict check(const check_request& asked) {
  const auto first = run_probe(asked);
  const auto report = merge_lines(first.report);
  verdict out;
  out.unusable = value_or_default<std::string>(report, "unusable");
  out.engine = value_or_default<declared>(report, "engine");
  out.broken = value_or_default<std::vector<breach>>(report, "broken");
  out.seen = value_or_default<seen>(report, "seen");
  out.calls = value_or_default<std::vector<calls>>(report, "calls");
  out.played = value_or_default<int>(report, "played");
  out.playthrough = value_or_default<std::string>(report, "playthrough");
  out.perft = value_or_default<std::vector<perft_row>>(report, "perft");
  out.examples = examples_in(report);
  if (first.death) out.broken.push_back(*first.death);
  if (out.kept()) compare_with_another(out, first, asked);
  warn(out, first.output);
  return out;
}

}  // namespace gamehub::engines::check
