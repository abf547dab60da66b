// How the program starts and how it refuses to: what it prints where, and with which exit code.
#include "tests/support/catch.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <unistd.h>
#include <vector>

namespace gamehub::tests::system {
namespace {

run_result gamehub_with(std::vector<std::string> words,
                        std::map<std::string, std::string> variables = {}) {
  words.insert(words.begin(), hub_program());
  variables.try_emplace("GAMEHUB_JOURNAL", "memory");
  return run({std::move(words), std::move(variables)});
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Exit code 2 and one sentence that has all these words in it.
void check_mistake(const run_result& result, const std::vector<std::string>& words) {
  CAPTURE(result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK(lines_in(result.errors) == 1);
  CHECK(result.errors.starts_with("gamehub: "));
  CHECK((result.errors.ends_with(".\n") || result.errors.ends_with("?\n")));
  for (const auto& word : words) {
    CAPTURE(word);
    CHECK(result.errors.find(word) != result.errors.npos);
  }
}

TEST_CASE("start: the ready line is one line and all that stands on standard output") {
  hub at;
  check_others_play(at);
  at.process().signal(SIGTERM);
  REQUIRE(at.wait() == 0);
  CHECK(std::regex_match(at.process().output(),
                         std::regex{"ready turns=[1-9]\\d* opcodes=[1-9]\\d* udp=[1-9]\\d* "
                                    "http=[1-9]\\d* admin=[1-9]\\d*\n"}));
}

TEST_CASE("start: wires that are off are left out") {
  {
    hub at{{"--opcodes-port", "off"}};
    CHECK(at.opcodes() == 0);
    play_whole_game(at, wire::turns, wire::turns, scripts().front());
  }
  {
    hub at{{"--turns-port", "off"}};
    CHECK(at.turns() == 0);
    CHECK(at.udp() != 0);
    play_whole_game(at, wire::opcodes, wire::opcodes, scripts().front());
  }
  hub at{{"--admin-port", "off", "--udp-port", "off", "--http-port", "off"}};
  CHECK(at.admin() == 0);
  CHECK(at.udp() == 0);
  CHECK(at.http() == 0);
  opcodes_client client{at.opcodes()};
  client.ask();
  CHECK(client.next() == "ACK X");
  client.socket().close();
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
  CHECK(at.process().output().find("admin") == std::string::npos);
}

TEST_CASE("start: any number of loops serves") {
  for (const auto* loops : {"1", "3", "8"}) {
    INFO(loops << " loops");
    hub at{{"--loops", loops}};
    for (int i = 0; i < 4; ++i) check_others_play(at);
  }
}

TEST_CASE("start: a second hub on the same port is a mistake, on any of its ports") {
  hub first;
  const std::vector<std::pair<std::string, std::uint16_t>> taken{{"turns", first.turns()},
                                                                 {"opcodes", first.opcodes()},
                                                                 {"udp", first.udp()},
                                                                 {"http", first.http()},
                                                                 {"admin", first.admin()}};
  for (const auto& [name, port] : taken) {
    std::vector<std::string> words{"serve", "--log-level", "off"};
    for (const auto& each : taken) {
      words.push_back("--" + each.first + "-port");
      words.push_back(each.first == name ? std::to_string(port) : "0");
    }
    check_mistake(gamehub_with(words),
                  {"Address already in use", std::to_string(port), "--" + name + "-port"});
  }
  check_others_play(first);
}

TEST_CASE("start: what an operator gets wrong is said in one sentence") {
  const temporary_folder folder;
  const auto bad_key = folder.write("bad_key.toml", "turn-secods = 5\n");
  const auto bad_value = folder.write("bad_value.toml", "turn-seconds = soon\n");
  check_mistake(gamehub_with({"serve", "--turn-secods", "5"}),
                {"--turn-secods", "did you mean --turn-seconds?"});
  check_mistake(gamehub_with({"serve", "--nonsense"}), {"--nonsense", "--help"});
  check_mistake(gamehub_with({"serve", "--turn-seconds", "soon"}), {"--turn-seconds", "soon"});
  check_mistake(gamehub_with({"serve", "--turn-seconds"}), {"--turn-seconds"});
  check_mistake(gamehub_with({"serve", "--turns-port", "65536"}), {"--turns-port", "65536"});
  check_mistake(gamehub_with({"serve", "--opcodes-engine", "chess"}), {"chess"});
  check_mistake(gamehub_with({"serve", "--opcodes-engine", "kuhn-poker"}), {"kuhn-poker"});
  check_mistake(gamehub_with({"serve", "--config", bad_key}),
                {"bad_key.toml", "turn-secods", "did you mean turn-seconds?"});
  check_mistake(gamehub_with({"serve", "--config", bad_value}), {"turn-seconds", "soon"});
  check_mistake(gamehub_with({"serve", "--config", folder.path() + "/none"}), {"none"});
  check_mistake(gamehub_with({"serve"}, {{"GAMEHUB_LOOPS", "many"}}), {"GAMEHUB_LOOPS", "many"});
  check_mistake(gamehub_with({"serve", "--listen", "nowhere"}), {"--listen", "nowhere"});
  check_mistake(
      gamehub_with({"serve", "--turns-port", "0", "--listen", "192.0.2.1", "--log-level", "off"}),
      {"192.0.2.1", "give --listen an address of this machine"});
  check_mistake(gamehub_with({"serve", "--check"}, {{"GAMEHUB_TURN_PORT", "1"}}),
                {"GAMEHUB_TURN_PORT", "did you mean GAMEHUB_TURNS_PORT?"});
  const auto service = gamehub_with({"serve", "--check", "--journal", "memory"},
                                    {{"GAMEHUB_SERVICE_HOST", "10.0.0.7"},
                                     {"GAMEHUB_TURNS_SERVICE_PORT_LINES", "8889"},
                                     {"GAMEHUB_TURNS_PORT_8889_TCP", "tcp://10.0.0.7:8889"},
                                     {"GAMEHUB_TURNS_PORT_8889_TCP_ADDR", "10.0.0.7"},
                                     {"GAMEHUB_PORT", "tcp://10.0.0.7:8889"}});
  CHECK(service.errors == "configuration ok\n");
  CHECK(service.exit_code == 0);
  check_mistake(
      gamehub_with({"sevre"}),
      {"\"sevre\" is not a verb of gamehub: give serve, engines, journal, verify, cluster, "
       "status, drain, healthcheck, games, end, ban, unban, mute, unmute, sanctions, say, "
       "orders, token, arena, bench, udp-lab, engine or bot"});
  check_mistake(gamehub_with({}), {"gamehub serve"});
}

TEST_CASE("start: --check tries the settings and serves no client") {
  hub busy;
  const auto port = std::to_string(busy.turns());
  const auto good = gamehub_with({"serve", "--check", "--turns-port", port});
  CHECK(good.exit_code == 0);
  CHECK(good.output.empty());
  CHECK(good.errors == "configuration ok\n");
  check_mistake(gamehub_with({"serve", "--check", "--opcodes-engine", "chess"}), {"chess"});
  check_mistake(gamehub_with({"serve", "--check", "--loops", "0"}), {"--loops"});
}

TEST_CASE("start: settings come from flags, the environment and a file, in this order") {
  const temporary_folder folder;
  const auto file = folder.write("hub.toml", "turn-seconds = 7\nopcodes-port = \"off\"\n");
  {
    hub at{{"--opcodes-port", "0"}, {{"GAMEHUB_CONFIG", file}, {"GAMEHUB_TURN_SECONDS", "1"}}};
    CHECK(at.opcodes() != 0);
    const auto game = open_game(at, wire::opcodes, wire::turns);
    game.x->wins_alone(game.board, 'X');
  }
  const auto from_file = gamehub_with(
      {"serve", "--check", "--config", file},
      {{"GAMEHUB_TURNS_PORT", "off"}, {"GAMEHUB_UDP_PORT", "off"}, {"GAMEHUB_HTTP_PORT", "off"}});
  // All wires are off now.
  CHECK(from_file.exit_code == 2);
}

TEST_CASE("start: the first line of the log has version, journal, games and plugins") {
  const temporary_folder folder;
  const auto file = folder.path() + "/j.db";
  const auto first_line = [&] {
    hub at{{"--journal", "sqlite:" + file}};
    play_whole_game(at, wire::turns, wire::opcodes, scripts().front());
    at.process().signal(SIGTERM);
    REQUIRE(at.wait() == 0);
    const auto log = at.process().errors();
    return log.substr(0, log.find('\n'));
  };
  const auto first = first_line(), second = first_line();
  CHECK(first.find(" info    starting version=") != std::string::npos);
  CHECK(first.find(" journal=" + file + " games_open=0 games_ended=0 engines=") !=
        std::string::npos);
  CHECK(first.find(" plugins=0 plugins_refused=0 loops=") != std::string::npos);
  CHECK(second.find(" games_open=0 games_ended=1 ") != std::string::npos);
}

TEST_CASE("start: an empty token file, and a journal in a missing folder, are found before ports") {
  const temporary_folder folder;
  const auto token = folder.write("token", "");
  const auto serve = [](std::vector<std::string> more) {
    std::vector<std::string> words{"serve", "--turns-port", "0", "--opcodes-port",
                                   "0",     "--udp-port",   "0", "--http-port",
                                   "0",     "--admin-port", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return gamehub_with(words);
  };
  check_mistake(serve({"--journal", "memory", "--admin-token-file", token}), {token, "is empty"});
  const auto missing = "sqlite:" + folder.path() + "/typo/j.db";
  check_mistake(serve({"--journal", missing}), {"has no folder " + folder.path() + "/typo"});
  check_mistake(serve({"--journal", missing, "--check"}), {folder.path() + "/typo: make it"});
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/typo"));
}

TEST_CASE("start: a home folder that may not be entered is a mistake in one sentence (M7)") {
  namespace fs = std::filesystem;
  const temporary_folder folder;
  const auto home = folder.path() + "/home", program = folder.path() + "/gamehub";
  fs::create_directory(home);
  fs::copy_file(hub_program(), program);
  fs::permissions(folder.path(), fs::perms{0755});
  std::vector<std::string> words{program, "serve"};
  // The superuser may enter all folders.
  if (::geteuid() == 0)
    words.insert(words.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
  if (::geteuid() == 0 && run({{"setpriv", "--version"}, {}}).exit_code != 0) {
    WARN("there is no setpriv: not run");
    return;
  }
  for (const auto* port : {"turns", "opcodes", "udp", "http", "admin"})
    words.insert(words.end(), {std::string{"--"} + port + "-port", "0"});
  words.insert(words.end(), {"--journal", "sqlite"});
  const std::map<std::string, std::string> variables{{"HOME", home}, {"XDG_STATE_HOME", ""}};
  fs::permissions(home, fs::perms::none);
  const auto served = run({words, variables});
  words.emplace_back("--check");
  const auto checked = run({words, variables});
  fs::permissions(home, fs::perms::owner_all);
  check_mistake(served, {home, "this account"});
  CHECK(served.errors == checked.errors);
  CHECK(checked.exit_code == 2);
}

TEST_CASE("start: the log is lines of JSON if asked for") {
  hub at{{"--log-format", "json"}};
  check_others_play(at);
  at.process().signal(SIGTERM);
  REQUIRE(at.wait() == 0);
  const auto log = at.process().errors();
  CHECK(lines_in(log) >= 3);
  for (std::size_t begin = 0; begin < log.size();) {
    const auto end = log.find('\n', begin);
    const auto line = nlohmann::json::parse(log.substr(begin, end - begin), nullptr, false);
    CHECK(line.is_object());
    begin = end + 1;
  }
}

TEST_CASE("start: help, version and the list of engines go to standard output") {
  for (const auto& [words, expected] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--help"}, "\n  serve "},
           {{"--help"}, "\n  journal "},
           {{"--help"}, "\n  verify "},
           {{"--help"}, "\n  token "},
           {{"--help"}, "\n  arena "},
           {{"--help"}, "\n  healthcheck "},
           {{"serve", "--help"}, "--turns-port"},
           {{"help"}, "\n  serve "},
           {{"help", "serve"}, "--turns-port"},
           {{"--version"}, "gamehub "},
           {{"engines"}, "rock-paper-scissors"}}) {
    const auto result = gamehub_with(words);
    CAPTURE(result.output);
    CHECK(result.exit_code == 0);
    CHECK(result.errors.empty());
    CHECK(result.output.find(expected) != result.output.npos);
    CHECK(result.output.ends_with("\n"));
  }
}

TEST_CASE("start: promtool finds no fault in what Prometheus is told") {
  if (run({{"promtool", "--version"}, {}}).exit_code != 0) {
    WARN("there is no promtool: not checked");
    return;
  }
  hub at;
  for (const auto& how : scripts()) play_whole_game(at, wire::turns, wire::opcodes, how);
  const temporary_folder folder;
  const auto file = folder.write("metrics", at.metrics().text());
  const auto judged = run({{"bash", "-c", "promtool check metrics <\"$0\"", file}, {}});
  CAPTURE(judged.output, judged.errors);
  CHECK(judged.exit_code == 0);
}

}  // namespace
}  // namespace gamehub::tests::system
