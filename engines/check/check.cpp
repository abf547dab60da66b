#include "hub/app/kit/check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

#include "hub/app/child_process.hpp"
#include "hub/app/kit/limits.hpp"
#include "hub/app/kit/page.hpp"
#include "hub/app/kit/probe.hpp"
#include "hub/app/kit/request_json.hpp"
#include "hub/app/kit/trace_lines.hpp"
#include "hub/app/kit/words.hpp"
#include "hub/app/settings.hpp"

namespace gamehub::app::kit {

namespace {

using nlohmann::json;
namespace contract = engines::contract;

// What a child left behind. Nothing of it is trusted: the engine had the page in its memory.
json merged(const std::string& report) {
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
T taken(const json& from, const char* name) {
  try {
    return from.value(name, T{});
  } catch (const json::exception&) {
    return {};
  }
}

breach where_it_was(const page& shared) {
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
  std::string name{to_string(inside)};
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

// Why the child did not come to its end.
breach died(const page& shared, const child_end& end, const check_request& asked) {
  auto out = where_it_was(shared);
  const auto& note = shared.note();
  const bool inside = note.inside.load() != contract::function::none;
  const bool loading = note.inside.load() == contract::function::load_file;
  const auto in = loading  ? "while it was loaded, "
                  : inside ? "in " + call_text(note) + ", "
                           : std::string{};
  const auto seconds =
      std::chrono::duration<double>(asked.quick ? quick_call_time_max : call_time_max).count();
  if (shared.aborted()) {
    out.promise = "a call does not come back";
    out.detail = call_text(note) + " still ran after " + std::to_string(static_cast<int>(seconds)) +
                 " seconds";
  } else if (end.how == child_end::way::signalled) {
    out.promise = "the engine crashes";
    out.detail = in + "the process " + in_words(end);
  } else if (end.how == child_end::way::out_of_time) {
    out.promise = "the engine is too slow to be checked";
    out.detail = in + "the process " + in_words(end);
  } else {
    out.promise = "the engine ends the program";
    out.detail = in + "the process " + in_words(end);
  }
  return out;
}

struct probed {
  std::string report;
  std::string output;
  std::optional<breach> death;
};

probed run_probe(const check_request& asked) {
  const page shared{json(asked).dump(-1, ' ', false, json::error_handler_t::replace)};
  auto patience =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>{asked.seconds}) +
      (asked.quick ? quick_grace : grace);
  // How long that takes is for the person who asked for it to know.
  if (asked.perft != 0) patience += std::chrono::hours{24};
  child_limits limits;
  limits.memory_bytes = asked.quick ? quick_memory_bytes_max : memory_bytes_max;
  auto end = run_self({"engine", probe_verb, shared.path()}, limits, patience);
  probed out{shared.report(), std::move(end.output), std::nullopt};
  const bool well = end.how == child_end::way::exited && end.code == EXIT_SUCCESS;
  if (!well || !merged(out.report).contains("done")) out.death = died(shared, end, asked);
  return out;
}

// The same games once more, in another process.
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
    // A player has a budget, and a thread of its own.
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
  const auto report = merged(first.report);
  verdict out;
  out.unusable = taken<std::string>(report, "unusable");
  out.engine = taken<declared>(report, "engine");
  out.broken = taken<std::vector<breach>>(report, "broken");
  out.seen = taken<seen>(report, "seen");
  out.calls = taken<std::vector<calls>>(report, "calls");
  out.playthrough = taken<std::string>(report, "playthrough");
  out.perft = taken<std::vector<perft_row>>(report, "perft");
  if (first.death) out.broken.push_back(*first.death);
  if (out.kept()) compare_with_another(out, first, asked);
  warn(out, first.output);
  return out;
}

int carry_out(const check_request& asked) {
  const auto found = check(asked);
  if (!found.unusable.empty()) throw usage_error{found.unusable};
  std::cout << (asked.json ? in_json(found, asked) : in_words(found, asked)) << std::flush;
  if (!std::cout) {
    std::cerr << "gamehub: standard output can't be written.\n";
    return EXIT_FAILURE;
  }
  return found.kept() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace gamehub::app::kit
