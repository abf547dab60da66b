#include "engines/check/report_text.hpp"

#include "engines/check/request_json.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace gamehub::engines::check {

namespace {

using nlohmann::json;

std::string with_digits(double n, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, n);
  return buffer;
}

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

std::string name_of(const verdict& v, const check_request& asked) {
  return v.engine.id.empty() ? asked.target : v.engine.id + ' ' + v.engine.version;
}

// Formats text of an engine on one line.
std::string one_line(std::string text) {
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '.';
  return text;
}

// Quotes a word for the shell.
std::string quoted(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{"-_./:,+@%"}.find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + '\'';
}

std::string more(std::string_view name, const std::string& what) {
  return what.empty() ? "" : "  " + left(std::string{name}, 9) + one_line(what) + '\n';
}

std::string broken_in_words(const verdict& v, const check_request& asked) {
  std::string out;
  for (const auto& each : v.broken) {
    out += name_of(v, asked) + " breaks the contract: " + sentence_of(each) + '\n';
    if (each.in_game) {
      out += more("after", each.after);
      out += more("state", each.state);
      out += more("other", each.other);
      out += more("options", each.options);
      if (each.players != 0) out += more("players", std::to_string(each.players));
    }
    out += more("again", command_again(each, asked));
  }
  return out;
}

std::string bound(std::string_view what, std::uint64_t seen, std::uint64_t declared) {
  return "  " + left(std::string{what}, 18) + right(base::grouped(seen), 12) +
         right(base::grouped(declared), 12) + '\n';
}

std::string bounds_in_words(const verdict& v) {
  return "  " + left("", 18) + right("seen", 12) + right("declared", 12) + '\n' +
         bound("longest game", v.seen.plies_most, v.engine.plies_max) +
         bound("most actions", v.seen.actions_most, v.engine.actions_max) +
         bound("bytes of state", v.seen.state_bytes_most, v.engine.state_bytes_max);
}

std::string microseconds(std::int64_t ns) {
  return with_digits(static_cast<double>(ns) / 1'000, 2);
}

std::string times_in_words(const verdict& v) {
  auto out = "  " + left("microseconds", 18) + right("calls", 12) + right("p50", 10) +
             right("p99", 10) + right("most", 12) + '\n';
  for (const auto& each : v.calls)
    out += "  " + left(each.function, 18) + right(base::grouped(each.count), 12) +
           right(microseconds(each.p50), 10) + right(microseconds(each.p99), 10) +
           right(microseconds(each.most), 12) + '\n';
  return out;
}

std::string perft_in_words(const verdict& v) {
  auto out = "  " + left("perft", 6) + right("nodes", 16) + right("over", 14) +
             right("seconds", 10) + '\n';
  for (const auto& each : v.perft)
    out += "  " + left(std::to_string(each.depth), 6) + right(base::grouped(each.nodes), 16) +
           right(base::grouped(each.ended), 14) + right(with_digits(each.seconds, 3), 10) + '\n';
  return out;
}

}  // namespace

std::string sentence_of(const breach& what) {
  return one_line(what.promise + (what.detail.empty() ? "" : ": " + what.detail));
}

std::string milliseconds_in_words(std::int64_t nanoseconds) {
  return with_digits(static_cast<double>(nanoseconds) / 1'000'000, 1) + " ms";
}

std::string command_again(const breach& what, const check_request& asked) {
  auto out = "gamehub engine check " + quoted(asked.target);
  if (what.in_game) {
    const auto first = what.other_seed == 0 ? what.seed : std::min(what.seed, what.other_seed);
    const auto last = std::max(what.seed, what.other_seed);
    out += " --seed " + std::to_string(first) + " --seeds " + std::to_string(last - first + 1);
  }
  // The seed reproduces the options that were drawn for the game.
  if (!asked.options.empty()) out += " --options " + quoted(asked.options);
  if (asked.players != 0) out += " --players " + std::to_string(asked.players);
  if (asked.reveals_midway && !asked.quick) out += " --reveals-midway";
  return out;
}

std::string in_words(const verdict& v, const check_request& asked) {
  std::string out = broken_in_words(v, asked);
  if (v.kept())
    out = name_of(v, asked) + " keeps the contract: " +
          base::counted(static_cast<std::uint64_t>(v.seen.playouts), "game") + ", " +
          base::grouped(v.seen.plies) + (v.seen.plies == 1 ? " ply" : " plies") + ", " +
          base::counted(static_cast<std::uint64_t>(v.compared), "game") +
          " alike in two processes" +
          (v.played == 0 ? "" : ", " + std::to_string(v.played) + " by the request play") + '\n';
  if (v.kept() && !asked.quick && v.seen.playouts < asked.seeds)
    out += "  " + left("note", 9) + std::to_string(v.seen.playouts) + " of " +
           std::to_string(asked.seeds) + " games in the time: --seconds gives more\n";
  for (const auto& each : v.warnings) out += "  " + left("warning", 9) + one_line(each) + '\n';
  if (!asked.quick && v.seen.playouts > 0)
    out += '\n' + bounds_in_words(v) + '\n' + times_in_words(v);
  if (!v.perft.empty()) out += '\n' + perft_in_words(v);
  if (!v.playthrough.empty()) out += '\n' + v.playthrough;
  return out;
}

std::string in_json(const verdict& v, const check_request& asked) {
  json broken = json::array();
  for (const auto& each : v.broken) {
    broken.push_back(each);
    broken.back()["again"] = command_again(each, asked);
  }
  json out{{"kept", v.kept()},       {"engine", v.engine}, {"broken", broken},
           {"warnings", v.warnings}, {"seen", v.seen},     {"compared", v.compared},
           {"played", v.played},     {"calls", v.calls}};
  if (!v.perft.empty()) out["perft"] = v.perft;
  if (!v.playthrough.empty()) out["playthrough"] = v.playthrough;
  return out.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace gamehub::engines::check
