#include "tools/bench/report.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace gamehub::tools::bench {
namespace {

// If the thread of the load is busy, the load is the limit, not the hub.
constexpr double load_is_busy = 0.9;

// "12,345.6", with this number of decimals.
std::string shown(double n, int digits = 0) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, n);
  std::string text = buffer;
  const auto point = text.find('.');
  for (auto at = static_cast<std::ptrdiff_t>(point == text.npos ? text.size() : point) - 3;
       at > (n < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

std::string shown(std::uint64_t n) { return shown(static_cast<double>(n)); }

std::string line(std::string_view name, const std::string& what) {
  std::string text = "  " + std::string{name};
  text.resize(16, ' ');
  return text + what + '\n';
}

double rounded(double n) { return std::round(n * 1000) / 1000; }

nlohmann::ordered_json json_of(const struct figures::starts& s) {
  return {{"p50", rounded(s.p50_us)},
          {"p99", rounded(s.p99_us)},
          {"most", rounded(s.most_us)},
          {"starts", s.count}};
}

std::string server_lines(const figures& f) {
  if (!f.server) return line("server", "not on this machine, or not readable: no CPU, no memory");
  const auto& s = *f.server;
  std::string cpu;
  if (const auto us = f.server_us_per_move()) cpu = shown(*us, 2) + " us per move, ";
  if (const auto us = f.server_us_per_request()) cpu += shown(*us, 2) + " us per request, ";
  if (const auto us = f.server_us_per_datagram()) cpu += shown(*us, 2) + " us per datagram, ";
  if (f.seconds > 0) cpu += shown(s.cpu_seconds / f.seconds, 3) + " of a core";
  auto text = line("server CPU", cpu);
  auto memory = shown(static_cast<double>(s.resident_kib) / 1024, 1) + " MiB";
  if (const auto kib = f.kib_per_game(); kib && f.idle)
    memory.append(", ").append(shown(*kib, 2)).append(" KiB per game");
  if (const auto kib = f.kib_per_stream(); kib && f.idle)
    memory.append(", ").append(shown(*kib, 2)).append(" KiB per stream with its player");
  return text + line("server memory", memory + ", " + shown(s.descriptors) + " descriptors");
}

std::string play_lines(const figures& f) {
  auto text = line("games/s", shown(f.per_second(f.games_played)));
  if (f.walkovers > 0)
    text += line("walkovers", shown(f.walkovers) + ": games with a player that was leaving");
  text += line("moves/s", shown(f.per_second(f.moves)));
  if (f.requests) text += line("requests/s", shown(f.per_second(*f.requests)));
  if (f.datagrams)
    text += line("datagrams/s", shown(f.per_second(f.datagrams->received)) + " answers, " +
                                    shown(f.datagrams->repeated) + " repeated");
  const auto timed =
      f.moves == 0 ? 0.0 : 100 * static_cast<double>(f.moves_timed) / static_cast<double>(f.moves);
  text += line("latency", "p50 " + shown(f.p50_us) + " us, p99 " + shown(f.p99_us) + " us, p99.9 " +
                              shown(f.p999_us) + " us, max " + shown(f.most_us) + " us (of " +
                              (f.datagrams ? "answers)" : shown(timed) + " % of the moves)"));
  if (f.starts.count > 0)
    text += line("starts", "p50 " + shown(f.starts.p50_us) + " us, p99 " + shown(f.starts.p99_us) +
                               " us, max " + shown(f.starts.most_us) + " us");
  return text;
}

std::string load_line(const figures& f) {
  const auto share = f.seconds > 0 ? f.load_cpu_seconds / f.seconds : 0;
  return line("load CPU", shown(share, 2) + " of a core" +
                              (share > load_is_busy ? ": the load is the limit, not the hub" : ""));
}

}  // namespace

std::optional<double> figures::server_us_per_move() const {
  if (!server || moves == 0) return {};
  return 1e6 * server->cpu_seconds / static_cast<double>(moves);
}

std::optional<double> figures::server_us_per_request() const {
  if (!server || !requests || *requests == 0) return {};
  return 1e6 * server->cpu_seconds / static_cast<double>(*requests);
}

std::optional<double> figures::server_us_per_datagram() const {
  if (!server || !datagrams || datagrams->received == 0) return {};
  return 1e6 * server->cpu_seconds / static_cast<double>(datagrams->received);
}

std::optional<double> figures::kib_per_game() const {
  if (!server || games_running == 0) return {};
  return (static_cast<double>(server->resident_kib) -
          static_cast<double>(server->resident_kib_before)) /
         static_cast<double>(games_running);
}

std::optional<double> figures::kib_per_stream() const {
  const auto kib = kib_per_game();
  if (!kib || streams == 0) return {};
  return *kib * static_cast<double>(games_running) / streams;
}

std::string text(const figures& f) {
  auto text = f.wire + " on " + f.where + ": " + shown(static_cast<double>(f.games)) +
              " concurrent games over " + shown(static_cast<double>(f.connections)) +
              (f.datagrams ? " sockets" : " connections");
  if (f.streams > 0) text += " and " + shown(static_cast<double>(f.streams)) + " streams";
  if (f.fresh) text += ", new connections for each game";
  if (f.idle) text += ", without moves";
  text += ", for " + shown(f.seconds, 1) + " s\n";
  text += line("opened in", shown(f.opening_seconds, 2) + " s" +
                                (f.datagrams ? ", the slowest answer took " +
                                                   shown(f.opening_most_us / 1000, 1) + " ms"
                                             : ""));
  if (!f.idle) text += play_lines(f);
  text += server_lines(f) + load_line(f);
  if (f.hostile)
    text += line("hostile", shown(static_cast<double>(f.hostile->clients)) + " " + f.hostile->kind +
                                ", " + shown(f.hostile->connections) + " connections, " +
                                shown(f.hostile->bytes) + " bytes");
  if (f.counters)
    text += line("hub's count", std::to_string(f.counters->started) + " started, " +
                                    std::to_string(f.counters->finished) + " finished, " +
                                    std::to_string(f.counters->running) + " running" +
                                    (f.counters->balanced() ? "" : ": the counts do not add up"));
  if (f.counters && f.idle)
    text += line("at the hub", shown(static_cast<double>(f.running_at_hub)) +
                                   " games ran while they were measured" +
                                   (f.games_left_early() ? ": the hub has ended some" : ""));
  text += line("errors", shown(f.errors));
  for (const auto& [what, count] : f.errors_by_text)
    text += std::string{"    "}.append(shown(count)).append("x ").append(what) + '\n';
  return text;
}

std::string json(const figures& f) {
  nlohmann::ordered_json j;
  j["wire"] = f.wire;
  j["where"] = f.where;
  j["games"] = f.games;
  j["connections"] = f.connections;
  j["streams"] = f.streams;
  j["fresh"] = f.fresh;
  j["idle"] = f.idle;
  j["opening_seconds"] = rounded(f.opening_seconds);
  if (f.datagrams) j["opening_most_us"] = rounded(f.opening_most_us);
  j["seconds"] = rounded(f.seconds);
  j["games_running"] = f.games_running;
  j["games_played"] = f.games_played;
  j["walkovers"] = f.walkovers;
  j["moves"] = f.moves;
  j["games_per_second"] = rounded(f.per_second(f.games_played));
  j["moves_per_second"] = rounded(f.per_second(f.moves));
  j["latency_us"] = {{"p50", rounded(f.p50_us)},
                     {"p99", rounded(f.p99_us)},
                     {"p99_9", rounded(f.p999_us)},
                     {"most", rounded(f.most_us)},
                     {"moves_timed", f.moves_timed}};
  if (f.starts.count > 0) j["start_us"] = json_of(f.starts);
  if (f.requests) j["requests"] = *f.requests;
  if (f.datagrams)
    j["datagrams"] = {{"sent", f.datagrams->sent},
                      {"received", f.datagrams->received},
                      {"repeated", f.datagrams->repeated}};
  j["load_cpu"] = f.seconds > 0 ? rounded(f.load_cpu_seconds / f.seconds) : 0;
  if (f.server) {
    const auto& s = *f.server;
    j["server"] = {{"pid", s.pid},
                   {"cpu", f.seconds > 0 ? rounded(s.cpu_seconds / f.seconds) : 0},
                   {"resident_kib_before", s.resident_kib_before},
                   {"resident_kib", s.resident_kib},
                   {"descriptors_before", s.descriptors_before},
                   {"descriptors", s.descriptors}};
    if (const auto us = f.server_us_per_move()) j["server"]["cpu_us_per_move"] = rounded(*us);
    if (const auto us = f.server_us_per_request()) j["server"]["cpu_us_per_request"] = rounded(*us);
    if (const auto us = f.server_us_per_datagram())
      j["server"]["cpu_us_per_datagram"] = rounded(*us);
    if (const auto kib = f.kib_per_game()) j["server"]["kib_per_game"] = rounded(*kib);
    if (const auto kib = f.kib_per_stream()) j["server"]["kib_per_stream"] = rounded(*kib);
  }
  if (f.hostile)
    j["hostile"] = {{"kind", f.hostile->kind},
                    {"clients", f.hostile->clients},
                    {"connections", f.hostile->connections},
                    {"bytes", f.hostile->bytes}};
  if (f.counters)
    j["hub"] = {{"started", f.counters->started},
                {"finished", f.counters->finished},
                {"running", f.counters->running},
                {"running_measured", f.running_at_hub}};
  j["errors"] = f.errors;
  j["errors_by_text"] = f.errors_by_text;
  // Text from a hub may be invalid UTF-8.
  return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace gamehub::tools::bench
