#include "metrics/metrics.hpp"

#include "tests/support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace gamehub::metrics {
namespace {

using namespace std::chrono_literals;

catalog two_of_each() {
  return {{"tictactoe", "kuhn-poker"},
          {"opcodes", "turns", "udp", "http"},
          {"malformed", "unknown-type", "too-long"},
          "1.2.3",
          "0.18.7",
          {"udp"},
          {"http"},
          {"connect", "move", "none"}};
}

// Two loops with their exposition.
struct hub {
  cells one{2, 4};
  cells two{2, 4};
  exposition all{two_of_each()};

  hub() {
    all.attach(&one);
    all.attach(&two);
  }

  bool has(const std::string& line) const {
    const auto text = all.text();
    UNSCOPED_INFO(text);
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
  }
};

// Help, type and labels of a metric in the text.
struct description {
  std::string type, help;
  std::set<std::string> labels;

  friend bool operator==(const description&, const description&) = default;
};
std::ostream& operator<<(std::ostream& out, const description& d) {
  out << d.type << " {";
  for (const auto& each : d.labels) out << each << ' ';
  return out << "} " << d.help;
}

std::map<std::string, description> described(const std::string& text) {
  std::map<std::string, description> all;
  std::istringstream in{text};
  std::string latest;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    std::string hash, key, rest;
    if (line.starts_with("# ")) {
      words >> hash >> key >> latest;
      std::getline(words >> std::ws, rest);
      INFO(latest << " is described twice: two families have one name");
      if (key == "HELP") REQUIRE(all.count(latest) == 0);
      (key == "HELP" ? all[latest].help : all[latest].type) = rest;
      continue;
    }
    const auto end = line.find('}');
    for (auto at = line.find('{'); at < end;) {
      const auto equals = line.find('=', at);
      const auto name = line.substr(at + 1, equals - at - 1);
      if (name != "le") all[latest].labels.insert(name);
      at = line.find(',', equals);
    }
  }
  return all;
}

// The table of README.md: | `name` | type | `label`, `label` | help |
std::map<std::string, description> documented() {
  std::map<std::string, description> all;
  std::ifstream in{std::string{GAMEHUB_METRICS_DIR} + "/README.md"};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `gamehub_")) continue;
    std::vector<std::string> columns;
    std::istringstream parts{line.substr(1)};
    for (std::string part; std::getline(parts, part, '|');) {
      const auto first = part.find_first_not_of(' ');
      columns.push_back(
          first == part.npos ? "" : part.substr(first, part.find_last_not_of(' ') - first + 1));
    }
    REQUIRE(columns.size() == 4);
    const auto name = columns[0].substr(1, columns[0].size() - 2);
    INFO(name << " stands in the README twice");
    REQUIRE(all.count(name) == 0);
    auto& to = all[name];
    to.type = columns[1];
    to.help = columns[3];
    std::istringstream labels{columns[2]};
    for (std::string each; std::getline(labels, each, '`') && std::getline(labels, each, '`');)
      to.labels.insert(each);
  }
  return all;
}

webhook_numbers some_webhook_numbers() {
  return {false, 7, 1, 2, 3, 4, {{"accepted", 5}}, {{"failed", 6}}};
}
arena_numbers some_arena_numbers() {
  return {false, true, {{"online", 3}}, {{"timeout", 4}}, 5, 2, 1};
}

TEST_CASE("metrics: sum the cells of all loops") {
  hub h;
  h.one.engines[0].games_started.add(3);
  h.two.engines[0].games_started.add(4);
  h.two.wires[1].moves[0].refused.add(5);
  h.one.wires[0].bytes_received.add(6'000'000'000);
  CHECK(h.has("gamehub_games_started_total{engine=\"tictactoe\"} 7"));
  CHECK(h.has("gamehub_games_started_total{engine=\"kuhn-poker\"} 0"));
  CHECK(h.has("gamehub_moves_total{engine=\"tictactoe\",gateway=\"turns\",outcome=\"refused\"} 5"));
  CHECK(h.has("gamehub_received_bytes_total{gateway=\"opcodes\"} 6000000000"));
}

TEST_CASE("metrics: include an engine that was added later") {
  cells roomy{8, 1};
  roomy.engines[1].games_started.add(2);
  exposition later{{{"tictactoe"}, {"turns"}, {}, "", ""}};
  later.attach(&roomy);
  later.add_engine("hex");
  const auto text = later.text();
  INFO(text);
  CHECK(text.find("gamehub_games_started_total{engine=\"hex\"} 2\n") != text.npos);
  CHECK(text.find("gamehub_moves_total{engine=\"hex\",gateway=\"turns\"") != text.npos);
}

TEST_CASE("metrics: count loaded and refused plugins") {
  hub h;
  CHECK(h.has("gamehub_plugins{state=\"refused\"} 0"));
  h.all.mark_plugins(3, 2);
  CHECK(h.has("gamehub_plugins{state=\"loaded\"} 3"));
  CHECK(h.has("gamehub_plugins{state=\"refused\"} 2"));
}

TEST_CASE("metrics: count datagrams of datagram protocols") {
  hub h;
  h.one.wires[2].datagrams.received.add(3);
  h.two.wires[2].datagrams.received.add(4);
  h.two.wires[2].datagrams.sessions.set(2);
  CHECK(h.has("gamehub_datagrams_received_total{gateway=\"udp\"} 7"));
  CHECK(h.has("gamehub_udp_addresses{gateway=\"udp\"} 2"));
  CHECK(h.all.text().find("gamehub_udp_addresses{gateway=\"turns\"}") == std::string::npos);
}

TEST_CASE("metrics: count a game as running from its beginning to its end") {
  hub h;
  auto& ended = h.two.engines[0].games_finished[static_cast<std::size_t>(result::draw)]
                                               [static_cast<std::size_t>(end_reason::rules)];
  h.one.engines[0].games_started.add();
  CHECK(h.has("gamehub_games_running{engine=\"tictactoe\"} 1"));
  ended.add();
  CHECK(h.has("gamehub_games_running{engine=\"tictactoe\"} 0"));
  CHECK(
      h.has("gamehub_games_finished_total{engine=\"tictactoe\",result=\"draw\",reason=\"rules\"} "
            "1"));
  ended.add();
  CHECK(h.has("gamehub_games_running{engine=\"tictactoe\"} 0"));
}

TEST_CASE("metrics: count substitutions by their cause") {
  hub h;
  h.one.loop.substitutions[static_cast<std::size_t>(leave_cause::quit)].add();
  h.two.loop.substitutions[static_cast<std::size_t>(leave_cause::clock)].add(2);
  CHECK(h.has("gamehub_substitutions_total{cause=\"quit\"} 1"));
  CHECK(h.has("gamehub_substitutions_total{cause=\"clock\"} 2"));
  CHECK(h.has("gamehub_substitutions_total{cause=\"banned\"} 0"));
}

TEST_CASE("metrics: count the time that was credited to players in seconds, by its cause") {
  hub h;
  h.one.loop.clock_credits[static_cast<std::size_t>(credit_cause::loop)].add(1'500'000);
  h.two.loop.clock_credits[static_cast<std::size_t>(credit_cause::loop)].add(1'000'000);
  h.two.loop.clock_credits[static_cast<std::size_t>(credit_cause::restart)].add(3'000'000);
  CHECK(h.has("gamehub_clock_credit_seconds_total{cause=\"loop\"} 2.5"));
  CHECK(h.has("gamehub_clock_credit_seconds_total{cause=\"journal\"} 0"));
  CHECK(h.has("gamehub_clock_credit_seconds_total{cause=\"restart\"} 3"));
}

TEST_CASE("metrics: show usual ends at zero and unusual ones when they occur") {
  hub h;
  const std::string usual =
      "gamehub_games_finished_total{engine=\"tictactoe\",result=\"first\",reason=\"clock\"} 0";
  const std::string unusual =
      "gamehub_games_finished_total{engine=\"tictactoe\",result=\"other\",reason=\"left\"} 1";
  CHECK(h.has(usual));
  CHECK_FALSE(h.has(unusual));
  h.one.engines[0]
      .games_finished[static_cast<std::size_t>(result::other)]
                     [static_cast<std::size_t>(end_reason::left)]
      .add();
  CHECK(h.has(unusual));
}

TEST_CASE("metrics: add up the buckets of a duration") {
  hub h;
  h.one.wires[1].move_duration.observe(1us);
  h.two.wires[1].move_duration.observe(2us);
  h.two.wires[1].move_duration.observe(1h);
  const std::string name = "gamehub_move_duration_seconds";
  CHECK(h.has(name + "_bucket{gateway=\"turns\",le=\"1e-06\"} 1"));
  CHECK(h.has(name + "_bucket{gateway=\"turns\",le=\"2e-06\"} 2"));
  CHECK(h.has(name + "_bucket{gateway=\"turns\",le=\"8.388608\"} 2"));
  CHECK(h.has(name + "_bucket{gateway=\"turns\",le=\"+Inf\"} 3"));
  CHECK(h.has(name + "_count{gateway=\"turns\"} 3"));
  CHECK(h.has(name + "_count{gateway=\"opcodes\"} 0"));
}

TEST_CASE("metrics: label loops, in seconds") {
  hub h;
  h.two.loop.stall_nanoseconds_max.raise_to(2'000'000'000);
  h.one.loop.busy_nanoseconds.add(500'000'000);
  h.one.loop.timers_pending.set(4);
  CHECK(h.has("gamehub_loop_longest_stall_seconds{loop=\"0\"} 0"));
  CHECK(h.has("gamehub_loop_longest_stall_seconds{loop=\"1\"} 2"));
  CHECK(h.has("gamehub_loop_busy_seconds_total{loop=\"0\"} 0.5"));
  CHECK(h.has("gamehub_loop_timers{loop=\"0\"} 4"));
}

TEST_CASE("metrics: name every reason with its own word") {
  hub h;
  h.one.wires[0].connections_closed[static_cast<std::size_t>(close_reason::slow_reader)].add();
  h.one.wires[0].refusals[static_cast<std::size_t>(refusal::rate_limited)].add(2);
  h.one.wires[0].protocol_errors[2].add(3);
  CHECK(h.has("gamehub_connections_closed_total{gateway=\"opcodes\",reason=\"slow-reader\"} 1"));
  CHECK(h.has("gamehub_refusals_total{gateway=\"opcodes\",reason=\"rate-limited\"} 2"));
  CHECK(h.has("gamehub_protocol_errors_total{gateway=\"opcodes\",reason=\"too-long\"} 3"));
}

TEST_CASE("metrics: show whether the hub is ready or draining") {
  hub h;
  CHECK(h.has("gamehub_ready 0"));
  h.all.mark_ready(true);
  CHECK(h.has("gamehub_ready 1"));
  CHECK(h.has("gamehub_draining 0"));
  h.all.mark_draining(true);
  CHECK(h.has("gamehub_draining 1"));
}

TEST_CASE("metrics: read the journal's numbers at each scrape") {
  hub h;
  journal_numbers now;
  h.all.attach_journal([&] { return now; });
  CHECK(h.has("gamehub_journal_ok 1"));
  CHECK_FALSE(h.has("gamehub_journal_transactions_total 0"));
  now.ok = false;
  now.mismatches = 2;
  now.restored = 3;
  now.engine_missing = 4;
  auto& file = now.file.emplace();
  file.transactions = 5;
  file.games_quarantined = 6;
  file.writing = 1'500ms;
  file.appends_unknown = 7;
  file.fenced = true;
  file.reads_refused = 8;
  CHECK(h.has("gamehub_journal_ok 0"));
  CHECK(h.has("gamehub_journal_transactions_total 5"));
  CHECK(h.has("gamehub_journal_games{state=\"quarantined\"} 6"));
  CHECK(h.has("gamehub_journal_appends_total{outcome=\"written\"} 5"));
  CHECK(h.has("gamehub_journal_appends_total{outcome=\"unknown\"} 7"));
  CHECK(h.has("gamehub_journal_fenced 1"));
  CHECK(h.has("gamehub_journal_reads_refused_total 8"));
  CHECK(h.has("gamehub_journal_write_seconds_total 1.5"));
  CHECK(h.has("gamehub_journal_mismatches_total 2"));
  CHECK(h.has("gamehub_recovery_games{result=\"restored\"} 3"));
  CHECK(h.has("gamehub_recovery_games{result=\"engine_missing\"} 4"));
}

TEST_CASE("metrics: count moves of engine players and search threads") {
  hub h;
  h.one.engines[0].engine_moves[static_cast<std::size_t>(effort::at_once)].add(2);
  h.two.engines[0].engine_moves[static_cast<std::size_t>(effort::at_once)].add();
  h.two.engines[1].engine_moves[static_cast<std::size_t>(effort::random)].add();
  h.one.engines[1].thinking_duration.observe(500ms);
  CHECK(h.has(R"(gamehub_engine_moves_total{engine="tictactoe",effort="at-once"} 3)"));
  CHECK(h.has(R"(gamehub_engine_moves_total{engine="tictactoe",effort="hurried"} 0)"));
  CHECK(h.has(R"(gamehub_engine_moves_total{engine="kuhn-poker",effort="random"} 1)"));
  CHECK(h.has(R"(gamehub_engine_thinking_seconds_count{engine="kuhn-poker"} 1)"));
  CHECK(h.has(R"(gamehub_engine_thinking_seconds_sum{engine="kuhn-poker"} 0.5)"));
  CHECK(h.has("gamehub_thinking_threads 0"));
  h.all.attach_thinking([] { return thinking_numbers{3, 2, 7}; });
  CHECK(h.has("gamehub_thinking_threads 3"));
  CHECK(h.has("gamehub_thinking_threads_busy 2"));
  CHECK(h.has("gamehub_thinking_waiting 7"));
}

engine_numbers some_engine_numbers() {
  engine_numbers out;
  out.slow = {{"tictactoe", 0}, {"kuhn-poker", 2}};
  out.isolated = {{"kuhn-poker", true, 3}};
  out.longest_call = 1500ms;
  return out;
}

TEST_CASE("metrics: include slow and isolated engines") {
  hub h;
  CHECK(h.has("gamehub_engine_longest_call_seconds 0"));
  h.all.attach_engines(some_engine_numbers);
  CHECK(h.has("gamehub_engine_longest_call_seconds 1.5"));
  CHECK(h.has("gamehub_engine_calls_slow_total{engine=\"kuhn-poker\"} 2"));
  CHECK(h.has("gamehub_engine_up{engine=\"kuhn-poker\"} 1"));
  CHECK(h.has("gamehub_engine_restarts_total{engine=\"kuhn-poker\"} 3"));
}

TEST_CASE("metrics: count the league's bots and games") {
  hub h;
  h.all.attach_arena(some_arena_numbers);
  CHECK(h.has("gamehub_arena_ok 0"));
  CHECK(h.has("gamehub_arena_here 1"));
  CHECK(h.has("gamehub_arena_bots{state=\"online\"} 3"));
  CHECK(h.has("gamehub_arena_games{state=\"waiting\"} 5"));
  CHECK(h.has("gamehub_arena_games{state=\"running\"} 2"));
  CHECK(h.has("gamehub_arena_ended_total{result=\"timeout\"} 4"));
  CHECK(h.has("gamehub_arena_runs 1"));
}

TEST_CASE("metrics: count the requests that the admin server refused") {
  hub h;
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"wrong-token\"} 0"));
  h.all.attach_admin([] { return admin_numbers{1, 2, 3, 4, 5}; });
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"foreign-host\"} 1"));
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"web-page\"} 2"));
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"no-token\"} 3"));
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"wrong-token\"} 4"));
  CHECK(h.has("gamehub_admin_refusals_total{reason=\"limited\"} 5"));
}

link_numbers some_link_numbers() {
  link_numbers out;
  out.up = 1;
  out.wanted = 2;
  out.breaks = 3;
  out.sent_messages = 4;
  out.received_messages = 5;
  out.sent_bytes = 6;
  out.received_bytes = 7;
  out.repeated = 8;
  out.dropped = 9;
  out.hubs = 11;
  out.entries = 12;
  out.homes = 13;
  out.moves = 14;
  out.watched_there = 17;
  out.watched_here = 18;
  out.watches_refused = 19;
  out.demands_refused = {{"intent", 20}, {"order", 0}};
  out.unsent = 15;
  out.wrong = 16;
  out.refused = {{"garbage", 10}, {"silent", 0}};
  return out;
}

TEST_CASE("metrics: show the links of a hub that has them") {
  hub h;
  CHECK(h.all.text().find("\ngamehub_link") == std::string::npos);
  h.all.attach_links(some_link_numbers);
  for (const auto* line : {"gamehub_links_up 1",
                           "gamehub_links_wanted 2",
                           "gamehub_link_breaks_total 3",
                           "gamehub_link_messages_total{direction=\"sent\"} 4",
                           "gamehub_link_messages_total{direction=\"received\"} 5",
                           "gamehub_link_bytes_total{direction=\"sent\"} 6",
                           "gamehub_link_bytes_total{direction=\"received\"} 7",
                           "gamehub_link_repeated_total 8",
                           "gamehub_link_dropped_total 9",
                           "gamehub_link_refused_total{reason=\"garbage\"} 10",
                           "gamehub_link_refused_total{reason=\"silent\"} 0",
                           "gamehub_relay_hubs 11",
                           "gamehub_relay_clients{side=\"entry\"} 12",
                           "gamehub_relay_clients{side=\"home\"} 13",
                           "gamehub_relay_moves_total 14",
                           "gamehub_relay_unsent_total 15",
                           "gamehub_relay_wrong_total 16",
                           "gamehub_relay_watched_games{side=\"entry\"} 17",
                           "gamehub_relay_watched_games{side=\"home\"} 18",
                           "gamehub_relay_watches_refused_total 19",
                           "gamehub_relay_refused_total{kind=\"intent\"} 20",
                           "gamehub_relay_refused_total{kind=\"order\"} 0"})
    CHECK(h.has(line));
}

TEST_CASE("metrics: the numbers of webhooks have samples only if webhooks are on") {
  hub h;
  CHECK(h.all.text().find("gamehub_webhooks{") == std::string::npos);
  h.all.attach_webhooks(some_webhook_numbers);
  for (const auto* line :
       {"gamehub_webhooks_ok 0", "gamehub_webhooks{state=\"on\"} 7",
        "gamehub_webhooks{state=\"off\"} 1", "gamehub_webhook_events_waiting 2",
        "gamehub_webhook_calls_in_flight 3", "gamehub_webhook_events_dropped_total 4",
        "gamehub_webhook_registrations_total{result=\"accepted\"} 5",
        "gamehub_webhook_calls_total{result=\"failed\"} 6"})
    CHECK(h.has(line));
}

TEST_CASE("metrics: match the table of README.md") {
  hub h;
  h.all.attach_links(some_link_numbers);
  h.all.attach_webhooks(some_webhook_numbers);
  h.all.attach_arena(some_arena_numbers);
  h.all.attach_journal([] {
    journal_numbers out;
    out.file.emplace();
    return out;
  });
  h.all.attach_engines(some_engine_numbers);
  const auto real = described(h.all.text());
  const auto table = documented();
  for (const auto& [name, as] : real) {
    INFO(name);
    REQUIRE(table.count(name) == 1);
    CHECK(table.at(name) == as);
  }
  for (const auto& [name, as] : table) {
    INFO(name << " stands in the README only");
    CHECK(real.count(name) == 1);
  }
}

TEST_CASE("metrics: pass promtool") {
  if (std::system("promtool --version >/dev/null 2>&1") != 0) {
    WARN("promtool is not installed: the text was not checked with it");
    return;
  }
  hub h;
  h.one.wires[0].move_duration.observe(3ms);
  h.all.attach_journal([] {
    journal_numbers out;
    out.file.emplace();
    return out;
  });
  h.all.attach_engines(some_engine_numbers);
  h.all.attach_links(some_link_numbers);
  const auto file = std::filesystem::temp_directory_path() /
                    ("gamehub-metrics-" + std::to_string(std::random_device{}()));
  std::ofstream{file} << h.all.text();
  const auto code = std::system(("promtool check metrics <'" + file.string() + "' >&2").c_str());
  std::filesystem::remove(file);
  CHECK(code == 0);
}

}  // namespace
}  // namespace gamehub::metrics
