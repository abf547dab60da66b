#include "hub/config/settings.hpp"

#include "tests/support/serve_line.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::config {
namespace {

using tests::serve_line::serve;
using tests::serve_line::start;
using tests::serve_line::what;

class file {
 public:
  explicit file(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("gamehub-settings-" + std::to_string(std::random_device{}()))) {
    std::ofstream{path_} << text;
  }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  ~file() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST_CASE("settings: are the defaults of the struct without flags") {
  const auto s = serve({}).read();
  const settings d;
  CHECK(s.loops == 3);
  CHECK(s.listen == d.listen);
  CHECK(s.admin_port == d.admin_port);
  CHECK(s.admin_listen == d.admin_listen);
  CHECK(s.turn == d.turn);
  CHECK(s.handshake == d.handshake);
  CHECK(s.idle == d.idle);
  CHECK(s.drain == d.drain);
  CHECK(s.connections_max == d.connections_max);
  CHECK(s.udp_connections_max == d.udp_connections_max);
  CHECK(s.udp_guest_rate == d.udp_guest_rate);
  CHECK(s.connections_per_address_max == d.connections_per_address_max);
  CHECK(s.sessions_per_address_max == d.sessions_per_address_max);
  CHECK(s.seats_per_address_max == d.seats_per_address_max);
  CHECK(s.unsent_kib_per_address_max == d.unsent_kib_per_address_max);
  CHECK(s.arrivals_per_address == d.arrivals_per_address);
  CHECK(s.games_per_address == d.games_per_address);
  CHECK(s.guesses_per_address == d.guesses_per_address);
  CHECK(s.messages_per_address == d.messages_per_address);
  CHECK(s.limit_loopback == d.limit_loopback);
  CHECK(s.games_max == d.games_max);
  CHECK(s.plugins.empty());
  CHECK(s.journal_in == journal_kind::sqlite);
  CHECK(s.journal_file == "/home/ann/.local/state/gamehub/journal.db");
  CHECK(s.durability == d.durability);
  CHECK(s.keep_days == d.keep_days);
  CHECK(s.journal_mib_max == d.journal_mib_max);
  CHECK(s.journal_wait == d.journal_wait);
  CHECK(s.rejoin == d.rejoin);
  CHECK(s.claim == d.claim);
  CHECK(s.log_format == d.log_format);
  CHECK(s.log_level == d.log_level);
  REQUIRE(s.wires.size() == 4);
  CHECK(s.wires.at("opcodes").port == 8888);
  CHECK(s.wires.at("opcodes").engine == "tictactoe");
  CHECK(s.wires.at("turns").port == 8889);
  CHECK(s.wires.at("turns").engine.empty());
  CHECK(s.wires.at("turns").grace == std::chrono::seconds{0});
  CHECK_FALSE(s.wires.at("opcodes").opponent.is_engine);
  CHECK(s.wires.at("turns").opponent.is_engine);
  CHECK(s.think_threads == 1);
  CHECK(s.think == d.think);
}

TEST_CASE("settings: no grace where there are no connections to break") {
  CHECK(serve({"--pigeons-port", "7", "--pigeons-engine", "nim"}).mistake() == "no mistake");
  CHECK(serve({"--pigeons-grace-seconds", "7"}).mistake() != "no mistake");
}

TEST_CASE("settings: take every flag") {
  const auto s = serve({"--loops",
                        "7",
                        "--listen=::1",
                        "--opcodes-port",
                        "off",
                        "--opcodes-engine",
                        "connect-four",
                        "--turns-port=0",
                        "--turns-grace-seconds",
                        "9",
                        "--admin-port",
                        "off",
                        "--admin-listen",
                        "0.0.0.0",
                        "--turn-seconds",
                        "0",
                        "--clock",
                        "fischer:180+2",
                        "--engine-clock",
                        "nim=sudden:60,othello=days:3",
                        "--engine-clock",
                        "pig=none",
                        "--clock-milliseconds-min",
                        "250",
                        "--clock-move-seconds-max",
                        "3600",
                        "--clock-game-seconds-max",
                        "7200",
                        "--clock-none",
                        "--clock-none-away-seconds",
                        "86400",
                        "--lasting-games-max",
                        "77",
                        "--handshake-seconds",
                        "1",
                        "--idle-seconds",
                        "2",
                        "--drain-seconds",
                        "3",
                        "--connections-max",
                        "4",
                        "--udp-connections-max",
                        "3",
                        "--udp-guest-rate",
                        "70",
                        "--connections-per-address-max",
                        "5",
                        "--sessions-per-address-max",
                        "11",
                        "--seats-per-address-max",
                        "12",
                        "--unsent-kib-per-address-max",
                        "128",
                        "--arrivals-per-address",
                        "13",
                        "--games-per-address",
                        "14",
                        "--guesses-per-address",
                        "15",
                        "--messages-per-address",
                        "16",
                        "--limit-loopback",
                        "--games-max",
                        "6",
                        "--plugins",
                        "some/plugins",
                        "--journal",
                        "sqlite:games.db",
                        "--durability",
                        "power",
                        "--keep-days",
                        "8",
                        "--journal-mib-max",
                        "9",
                        "--journal-wait-seconds",
                        "17",
                        "--rejoin-seconds",
                        "10",
                        "--sleep-after-seconds",
                        "18",
                        "--claim-seconds",
                        "17",
                        "--log-format",
                        "json",
                        "--log-level",
                        "warning"})
                     .read();
  CHECK(s.loops == 7);
  CHECK(s.listen == "::1");
  CHECK_FALSE(s.wires.at("opcodes").port);
  CHECK(s.wires.at("opcodes").engine == "connect-four");
  CHECK(s.wires.at("turns").port == 0);
  CHECK(s.wires.at("turns").grace == std::chrono::seconds{9});
  CHECK_FALSE(s.admin_port);
  CHECK(s.admin_listen == "0.0.0.0");
  CHECK(s.plugins == "some/plugins");
  CHECK(s.turn == std::chrono::seconds{0});
  REQUIRE(s.clocks.standard);
  CHECK(to_text(*s.clocks.standard) == "fischer:180+2");
  CHECK(to_text(s.clocks.of("nim")) == "sudden:60");
  CHECK(to_text(s.clocks.of("othello")) == "days:3");
  CHECK(to_text(s.clocks.of("pig")) == "none");
  CHECK(s.clocks.least == std::chrono::milliseconds{250});
  CHECK(s.clocks.move_max == std::chrono::hours{1});
  CHECK(s.clocks.game_max == std::chrono::hours{2});
  CHECK(s.clocks.allows_none);
  CHECK(s.clocks.none_away == std::chrono::seconds{86'400});
  CHECK(s.clocks.lasting_max == 77);
  CHECK(s.handshake == std::chrono::seconds{1});
  CHECK(s.idle == std::chrono::seconds{2});
  CHECK(s.drain == std::chrono::seconds{3});
  CHECK(s.connections_max == 4);
  CHECK(s.udp_connections_max == 3);
  CHECK(s.udp_guest_rate == 70);
  CHECK(s.connections_per_address_max == 5);
  CHECK(s.sessions_per_address_max == 11);
  CHECK(s.seats_per_address_max == 12);
  CHECK(s.unsent_kib_per_address_max == 128);
  CHECK(s.arrivals_per_address == 13);
  CHECK(s.games_per_address == 14);
  CHECK(s.guesses_per_address == 15);
  CHECK(s.messages_per_address == 16);
  CHECK(s.limit_loopback);
  CHECK(s.games_max == 6);
  CHECK(s.journal_in == journal_kind::sqlite);
  CHECK(s.journal_file == "games.db");
  CHECK(s.durability == gamehub::durability::power);
  CHECK(s.keep_days == 8);
  CHECK(s.journal_mib_max == 9);
  CHECK(s.journal_wait == std::chrono::seconds{17});
  CHECK(s.rejoin == std::chrono::seconds{10});
  CHECK(s.sleep_after == std::chrono::seconds{18});
  CHECK(s.claim == std::chrono::seconds{17});
  CHECK(s.log_format == base::log::format::json);
  CHECK(s.log_level == base::log::level::warning);
}

TEST_CASE("settings: a player may be away as long as a turn, if nothing else is set") {
  using std::chrono::seconds;
  const auto grace = [](std::vector<std::string> flags) {
    return serve(std::move(flags)).read().wires.at("words").grace;
  };
  CHECK(grace({}) == seconds{120});
  CHECK(grace({"--turn-seconds", "604800"}) == seconds{604'800});
  CHECK(grace({"--turn-seconds", "5"}) == seconds{120});
  CHECK(grace({"--turn-seconds", "0"}) == seconds{120});
  CHECK(grace({"--turn-seconds", "600", "--words-grace-seconds", "60"}) == seconds{60});
  CHECK(grace({"--turn-seconds", "600", "--words-grace-seconds", "120"}) == seconds{120});
  CHECK(serve({"--turn-seconds", "600"}).read().wires.at("turns").grace == seconds{0});
}

TEST_CASE("settings: a grace and the time to rejoin may be as long as a turn") {
  for (const std::string name :
       {"--turn-seconds", "--turns-grace-seconds", "--words-grace-seconds", "--rejoin-seconds"}) {
    INFO(name);
    CHECK(serve({name, "604800"}).mistake() == "no mistake");
    CHECK(serve({name, "604801"}).mistake() ==
          "gamehub: " + name + " is \"604801\": give a whole number of seconds from 0 to 604800.");
  }
}

TEST_CASE("settings: take the names of the hub's hosts as lists") {
  using texts = std::vector<std::string>;
  CHECK(serve({}).read().http_hosts.empty());
  CHECK(serve({}).read().admin_hosts.empty());
  const auto s = serve({"--http-host", "games.example,.games.svc", "--http-host", "hub",
                        "--admin-host=hub.games.svc"})
                     .read();
  CHECK(s.http_hosts == texts{"games.example", ".games.svc", "hub"});
  CHECK(s.admin_hosts == texts{"hub.games.svc"});
  const file f{
      "http-host = \"a.example,b.example\"\nadmin-host = hub, hub.games.svc,.pods # ours\n"};
  const auto read = serve({"--config", f.path()}, {{"GAMEHUB_HTTP_HOST", "play.example"}}).read();
  CHECK(read.http_hosts == texts{"play.example"});
  CHECK(read.admin_hosts == texts{"hub", "hub.games.svc", ".pods"});
  CHECK(serve({"--config", f.path()}).read().http_hosts == texts{"a.example", "b.example"});
  for (const std::string name : {"--http-host", "--admin-host"})
    for (const std::string wrong :
         {"games.example:80", "http://games.example", "*.games.svc", "[::1]", "games.example."}) {
      INFO(name << " " << wrong);
      CHECK(serve({name, wrong}).mistake().find("names of hosts without ports") !=
            std::string::npos);
    }
}

TEST_CASE("settings: name the opponents of the players of a protocol, and their level") {
  const auto opponent_of = [](const std::string& text) {
    return serve({"--opcodes-opponent", text}).read().wires.at("opcodes").opponent;
  };
  using engines::level;
  CHECK_FALSE(opponent_of("lobby").is_engine);
  for (const auto* text : {"engine", "engine:perfect"}) {
    CHECK(opponent_of(text).is_engine);
    CHECK(opponent_of(text).skill == level::perfect);
  }
  CHECK(opponent_of("engine:medium").skill == level::medium);
  CHECK(opponent_of("engine:random").skill == level::random);
  CHECK_FALSE(opponent_of("bot:Minimax (deep)").is_engine);
  CHECK(opponent_of("bot:Minimax (deep)").name == "Minimax (deep)");
  CHECK_FALSE(serve({"--turns-opponent=lobby"}).read().wires.at("turns").opponent.is_engine);
  for (const auto* text : {"", "engine:", "engine:best", "engines", "Lobby", "bot:", "bot: x"}) {
    INFO(text);
    CHECK(serve({std::string{"--opcodes-opponent="} + text})
              .mistake()
              .find("lobby, engine, engine:perfect, engine:medium, engine:random or bot:NAME") !=
          std::string::npos);
  }
  CHECK(serve({R"(--opcodes-options={"rows":7})"}).read().wires.at("opcodes").options ==
        R"({"rows":7})");
  CHECK(serve({"--opcodes-options", "rows=7"}).mistake().find("a JSON object") !=
        std::string::npos);
  const auto s = serve({"--think-threads", "7", "--think-milliseconds=20"}).read();
  CHECK(s.think_threads == 7);
  CHECK(s.think == std::chrono::milliseconds{20});
  CHECK(serve({"--think-milliseconds", "0"}).mistake() != "no mistake");
}

TEST_CASE("settings: put the flag over the environment over the file over the default") {
  const file f{"# ours\nturn-seconds = 10\nidle-seconds=11 # short\n\nlisten = \"::1\"\n"};
  const std::map<std::string, std::string> environment{
      {"GAMEHUB_TURN_SECONDS", "20"}, {"GAMEHUB_IDLE_SECONDS", "21"}, {"GAMEHUB_GAMES_MAX", ""}};
  const auto s = serve({"--config", f.path(), "--turn-seconds", "30"}, environment).read();
  CHECK(s.turn == std::chrono::seconds{30});
  CHECK(s.idle == std::chrono::seconds{21});
  CHECK(s.listen == "::1");
  CHECK(s.games_max == limits::games_default);
}

TEST_CASE("settings: find the file by the environment, and by the flag before that") {
  const file one{"turn-seconds = 1"};
  const file two{"turn-seconds = 2"};
  CHECK(serve({}, {{"GAMEHUB_CONFIG", one.path()}}).read().turn == std::chrono::seconds{1});
  CHECK(serve({"--config", two.path()}, {{"GAMEHUB_CONFIG", one.path()}}).read().turn ==
        std::chrono::seconds{2});
}

TEST_CASE("settings: take the last of a flag that is given twice") {
  CHECK(serve({"--loops", "1", "--loops", "2"}).read().loops == 2);
}

TEST_CASE("settings: read truth in the words that people use") {
  CHECK_FALSE(serve({"--limit-loopback=false"}).read().limit_loopback);
  CHECK(serve({}, {{"GAMEHUB_LIMIT_LOOPBACK", "yes"}}).read().limit_loopback);
  CHECK_FALSE(serve({}, {{"GAMEHUB_LIMIT_LOOPBACK", "0"}}).read().limit_loopback);
  CHECK(serve({}, {{"GAMEHUB_LIMIT_LOOPBACK", "perhaps"}}).mistake() ==
        "gamehub: GAMEHUB_LIMIT_LOOPBACK is \"perhaps\": give true or false.");
}

TEST_CASE("settings: ignore variables of a container platform for services named like protocols") {
  const auto s = serve({}, {{"GAMEHUB_TURNS_PORT", "tcp://10.0.0.7:8889"}}).read();
  CHECK(s.wires.at("turns").port == 8889);
  CHECK(serve({}, {{"GAMEHUB_LISTEN", "tcp://10.0.0.7:8889"}}).mistake() != "no mistake");
}

TEST_CASE("settings: answer each mistake with one sentence: what, where and the correction") {
  const file sections{"[serve]\nturn-seconds = 5\n"};
  const file slip{"turn-second = 5\n"};
  const file twice{"loops = 1\nturn-seconds = 5\nloops = 2\n"};
  const file word{"turn-seconds = soon\n"};
  const auto path = sections.path();
  const std::vector<std::pair<start, std::string>> cases{
      {serve({"--turn-seconds", "5x"}),
       "--turn-seconds is \"5x\": give a whole number of seconds from 0 to 604800"},
      {serve({"--turn-seconds=604801"}),
       "--turn-seconds is \"604801\": give a whole number of seconds from 0 to 604800"},
      {serve({"--turn-seconds=-1"}),
       "--turn-seconds is \"-1\": give a whole number of seconds from 0 to 604800"},
      {serve({"--turn-seconds"}),
       "--turn-seconds has no value: give a whole number of seconds from 0 to 604800"},
      {serve({"--loops", "0"}), "--loops is \"0\": give a whole number from 1 to 256"},
      {serve({"--listen", "localhost"}),
       "--listen is \"localhost\": give an IPv4 or IPv6 address, such as 0.0.0.0 or ::1"},
      {serve({"--turns-port", "65536"}),
       "--turns-port is \"65536\": give a port up to 65535, 0 for any free one, or off"},
      {serve({"--opcodes-engine", "two words"}),
       "--opcodes-engine is \"two words\": give the id of an engine (gamehub engines lists them)"},
      {serve({"--log-format", "xml"}), "--log-format is \"xml\": give text or json"},
      {serve({"--journal", "disk\n"}),
       "--journal is \"disk?\": give memory, sqlite or sqlite:PATH"},
      {serve({"--journal", "sqlite:"}),
       "--journal is \"sqlite:\": give memory, sqlite or sqlite:PATH"},
      {serve({"--durability", "none"}), "--durability is \"none\": give process, power or machine"},
      {serve({}, {{"GAMEHUB_TURN_PORT", "1"}}),
       "the environment has \"GAMEHUB_TURN_PORT\", which is no setting: did you mean "
       "GAMEHUB_TURNS_PORT?"},
      {serve({}, {{"GAMEHUB_PASSWORD_OF_THE_HUB", "x"}}),
       "the environment has \"GAMEHUB_PASSWORD_OF_THE_HUB\", which is no setting: unset it, "
       "gamehub "
       "serve --help lists them all"},
      {serve({}, {{"GAMEHUB_GAMES_MAX", "many"}}),
       "GAMEHUB_GAMES_MAX is \"many\": give a whole number from 1 to 4000000"},
      {serve({"--config", word.path()}),
       word.path() + ": turn-seconds is \"soon\": give a whole number of seconds from 0 to 604800"},
      {serve({"--config", slip.path()}),
       slip.path() + ": turn-second: there is no such setting, did you mean turn-seconds?"},
      {serve({"--config", twice.path()}),
       twice.path() + ": loops: has more than one value: give it one"},
      {serve({"--config", path}),
       path + ": has a section \"serve\": write the settings without sections"},
      {serve({"--config", "/nowhere/hub.toml"}),
       "--config: the file \"/nowhere/hub.toml\" can't be read: give one that this account may "
       "read"},
      {serve({}, {{"GAMEHUB_CONFIG", "/"}}),
       "GAMEHUB_CONFIG: the file \"/\" can't be read: give one that this account may read"},
      {serve({"--config"}), "--config has no value: give the path of a file"},
      {serve({"--turn-second", "5"}),
       "\"--turn-second\" is not for gamehub serve: did you mean --turn-seconds?"},
      {serve({"--bogus-thing=5"}),
       "\"--bogus-thing\" is not for gamehub serve: leave it out, gamehub serve --help lists the "
       "arguments"},
      {serve({"now"}),
       "\"now\" is not for gamehub serve: leave it out, gamehub serve --help lists the arguments"},
      {{{"engines", "--loops", "1"}, {}},
       "\"--loops\" is not for gamehub engines: leave it out, gamehub engines --help lists the "
       "arguments"},
      {{{"--loops", "1", "serve"}, {}},
       "\"--loops\": write flags after the verb, as in gamehub serve --loops"},
      {{{"sreve"}, {}}, "\"sreve\" is not a verb of gamehub: give serve or engines"},
      {{{}, {}}, "missing verb. Example: gamehub serve; gamehub --help lists the verbs"},
  };
  for (const auto& [how, message] : cases)
    CHECK(how.mistake() == "gamehub: " + message + (message.ends_with('?') ? "" : "."));
}

TEST_CASE("settings: put the journal into the state folder unless they name a file") {
  const auto place = [](std::vector<std::string> flags,
                        std::map<std::string, std::string> environment) {
    return serve(std::move(flags), std::move(environment)).read().journal_file.string();
  };
  CHECK(place({}, {{"XDG_STATE_HOME", "/state"}}) == "/state/gamehub/journal.db");
  CHECK(place({"--journal", "sqlite"}, {{"XDG_STATE_HOME", "/state"}}) ==
        "/state/gamehub/journal.db");
  CHECK(place({}, {{"XDG_STATE_HOME", "relative"}}) == "/home/ann/.local/state/gamehub/journal.db");
  CHECK(place({}, {{"GAMEHUB_JOURNAL", "sqlite:a:b.db"}}) == "a:b.db");
  CHECK(place({"--journal", "memory"}, {{"GAMEHUB_JOURNAL", "sqlite:a.db"}}).empty());
  CHECK(serve({}, {{"HOME", ""}}).mistake() ==
        "gamehub: the journal has no path, because neither XDG_STATE_HOME nor HOME is set: give "
        "--journal sqlite:PATH or --journal memory.");
  CHECK(serve({"--journal", "memory"}, {{"HOME", ""}}).mistake() == "no mistake");
}

TEST_CASE("settings: refuse what does not fit together") {
  CHECK(serve({"--turns-port", "8888"}).mistake() ==
        "gamehub: opcodes-port and turns-port are both 8888: give each its own port.");
  CHECK(serve({"--turns-port", "9464"}).mistake() ==
        "gamehub: turns-port and admin-port are both 9464: give each its own port.");
  CHECK(serve({"--turns-port", "9464", "--admin-listen", "::1"}).mistake() == "no mistake");
  CHECK(serve({"--turns-port", "9464", "--listen", "0.0.0.0", "--admin-listen", "::1"}).mistake() !=
        "no mistake");
  CHECK(serve({"--turns-port", "0", "--opcodes-port", "0", "--admin-port", "0"}).mistake() ==
        "no mistake");
  CHECK(serve({"--turns-port", "off", "--opcodes-port", "off", "--pigeons-port", "off",
               "--words-port", "off"})
            .mistake() ==
        "gamehub: every protocol is off: give a port to opcodes-port or to another one.");
}

TEST_CASE("settings: the sandbox of engines has a mode, and files that all may read") {
  using base::sandbox_mode;
  using paths = std::vector<std::string>;
  CHECK(serve({}).read().sandbox.mode == sandbox_mode::automatic);
  CHECK(serve({}).read().sandbox.readable.empty());
  CHECK(serve({"--sandbox", "required"}).read().sandbox.mode == sandbox_mode::required);
  CHECK(serve({"--sandbox", "off"}).read().sandbox.mode == sandbox_mode::off);
  CHECK(serve({"--sandbox", "on"}).mistake() ==
        "gamehub: --sandbox is \"on\": give auto, required or off.");
  CHECK(serve({"--sandbox-read", "/a b,/c", "--sandbox-read", "/d"}).read().sandbox.readable ==
        paths{"/a b", "/c", "/d"});
  CHECK(serve({"--sandbox-read", "books"}).mistake() ==
        "gamehub: --sandbox-read is \"books\": give paths that begin with /, separated by commas.");
}

TEST_CASE("settings: isolated engines come with commas or one by one, each once") {
  using ids = std::vector<std::string>;
  CHECK(serve({}).read().isolate.empty());
  CHECK(serve({"--isolate", "nim,othello"}).read().isolate == ids{"nim", "othello"});
  CHECK(serve({"--isolate", "nim", "--isolate", "othello,nim"}).read().isolate ==
        ids{"nim", "othello"});
  auto by_variable = serve({});
  by_variable.environment["GAMEHUB_ISOLATE"] = "gomoku";
  CHECK(by_variable.read().isolate == ids{"gomoku"});
  CHECK(serve({"--isolate", "a,,b"}).mistake() ==
        "gamehub: --isolate is \"a,,b\": give ids of engines, separated by commas (gamehub engines "
        "lists them).");
  const auto more = serve({"--isolate-call-milliseconds", "50", "--isolate-memory-mib", "128",
                           "--engine-slow-milliseconds", "7"})
                        .read();
  CHECK(more.isolate_call == std::chrono::milliseconds{50});
  CHECK(more.isolate_memory_mib == 128);
  CHECK(more.engine_slow == std::chrono::milliseconds{7});
  CHECK(more.engine_processes == 1);
  CHECK(serve({"--engine-processes", "8"}).read().engine_processes == 8);
  CHECK(serve({}, {{"GAMEHUB_ENGINE_PROCESSES", "2"}}).read().engine_processes == 2);
  CHECK(serve({"--engine-processes", "9"}).mistake() ==
        "gamehub: --engine-processes is \"9\": give a whole number from 1 to 8.");
  // Longer, and a loop that waits would look dead.
  CHECK(serve({"--isolate-call-milliseconds", "5001"}).mistake() ==
        "gamehub: --isolate-call-milliseconds is \"5001\": give a whole number of milliseconds "
        "from 1 to 5000.");
}

TEST_CASE("settings: programs have an id each, and commands with commas") {
  using texts = std::vector<std::string>;
  CHECK(serve({}).read().programs.empty());
  CHECK(serve({"--engine", "a-1=python3 a.py 1,2", "--engine", "b=./b"}).read().programs ==
        texts{"a-1=python3 a.py 1,2", "b=./b"});
  auto by_variable = serve({});
  by_variable.environment["GAMEHUB_ENGINE"] = "a=./a 1,2\nb=./b";
  CHECK(by_variable.read().programs == texts{"a=./a 1,2", "b=./b"});
  const auto wanted =
      "give an id and a command, such as last-stone=python3 last_stone.py, each id once and at "
      "most 32.";
  for (const auto* bad : {"./a", "A=./a", "=./a", "a=", "a= ", "a b=./a"})
    CHECK(serve({"--engine", bad}).mistake() ==
          "gamehub: --engine is \"" + std::string{bad} + "\": " + wanted);
  CHECK(serve({"--engine", "a=./a", "--engine", "a=./b"}).mistake() ==
        std::string{"gamehub: --engine is \"a=./b\": "} + wanted);
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= programs_max; ++i)
    many.insert(many.end(), {"--engine", "a" + std::to_string(i) + "=./a"});
  CHECK(serve(many).mistake() == std::string{"gamehub: --engine is \"a32=./a\": "} + wanted);
}

TEST_CASE("settings: bots are called where that is allowed, for so long") {
  const auto usual = serve({}).read();
  CHECK(usual.bot_allow.empty());
  CHECK(usual.bot_move_seconds == 5);
  CHECK(usual.bot_games == 4);
  const auto set = serve({"--bot-allow", "127.0.0.0/8", "--bot-allow", "::1,10.0.0.0/8",
                          "--bot-move-seconds", "2", "--bot-games", "1", "--bot-keep-alive",
                          "Ann [1],Bob", "--bot-keep-alive", "Cat", "--bot-tell-opponent", "Bob"})
                       .read();
  CHECK(set.bot_allow == std::vector<std::string>{"127.0.0.0/8", "::1", "10.0.0.0/8"});
  CHECK(set.bot_move_seconds == 2);
  CHECK(set.bot_games == 1);
  CHECK(set.bot_keep_alive == std::vector<std::string>{"Ann [1]", "Bob", "Cat"});
  CHECK(set.bot_tell_opponent == std::vector<std::string>{"Bob"});
  CHECK(serve({"--bot-keep-alive", "Ann,,Bob"}).mistake().find("names of bots") !=
        std::string::npos);
  CHECK(serve({"--bot-allow", "localhost"}).mistake().find("addresses or networks") !=
        std::string::npos);
  CHECK(usual.bot_names_per_owner_max == 16);
  CHECK(serve({"--bot-names-per-owner-max", "64"}).read().bot_names_per_owner_max == 64);
  CHECK(serve({}, {{"GAMEHUB_BOT_NAMES_PER_OWNER_MAX", "5"}}).read().bot_names_per_owner_max == 5);
  CHECK(serve({"--bot-names-per-owner-max", "65"}).mistake().find("from 1 to 64") !=
        std::string::npos);
  CHECK(serve({"--bot-move-seconds", "0"}).mistake().find("from 1 to 60") != std::string::npos);
}

TEST_CASE("settings: know the verbs") {
  CHECK(serve({}).parse().ran == what::serve);
  CHECK(serve({"--check"}).parse().ran == what::check);
  CHECK(start{{"engines"}, {}}.parse().ran == what::engines);
  const auto listed = start{{"engines", "--json"}, {{"GAMEHUB_PLUGINS", "/some/plugins"}}}.parse();
  CHECK(listed.ran == what::engines_in_json);
  CHECK(listed.settings.plugins == "/some/plugins");
  CHECK(start{{"engines", "--plugins", "mine"}, {{"GAMEHUB_PLUGINS", "/some/plugins"}}}
            .read()
            .plugins == "mine");
}

TEST_CASE("settings: a text that names no clock is a mistake, and so is an engine with two") {
  const auto mistake = [](std::vector<std::string> flags) {
    return serve(std::move(flags)).mistake();
  };
  for (const auto* bad : {"", "soon", "move:0", "fischer:180", "sudden:99999999999"}) {
    CAPTURE(bad);
    CHECK(mistake({"--clock", bad}).find("give none, move:SECONDS,") != std::string::npos);
  }
  for (const auto* bad : {"nim", "nim=", "=move:5", "nim=move:5,nim=move:6", "nim=move:5,,a=none",
                          "Nim!=move:5", "nim=move:0"}) {
    CAPTURE(bad);
    CHECK(mistake({"--engine-clock", bad}).find("give an engine's id and a clock") !=
          std::string::npos);
  }
  CHECK_FALSE(serve({}).read().clocks.standard);
}

TEST_CASE("settings: are all in the help, with their defaults and variables") {
  const auto help = serve({"--help"}).parse().printed;
  for (const auto* part :
       {"--turn-seconds SECONDS=120", "[GAMEHUB_TURN_SECONDS]", "--opcodes-port PORT|off=8888",
        "a byte for a cell", "--opcodes-engine ENGINE=tictactoe", "[GAMEHUB_TURNS_PORT]",
        "--loops N=3", "--limit-loopback", "--log-format text|json=text", "[GAMEHUB_CONFIG]",
        "--admin-listen ADDRESS=127.0.0.1", "--check", "--journal memory|sqlite[:PATH]=sqlite",
        "--keep-days N=30", "[GAMEHUB_REJOIN_SECONDS]",
        "--opcodes-opponent lobby|engine[:LEVEL]|bot:NAME=lobby",
        "--turns-opponent lobby|engine[:LEVEL]|bot:NAME=engine", "--think-threads N=1"}) {
    INFO(help);
    CHECK(help.find(part) != std::string::npos);
  }
  CHECK(help.find("--turns-engine") == std::string::npos);
}

TEST_CASE("settings: the arena's file is beside the journal's by default") {
  const auto file = [](std::vector<std::string> flags) {
    return serve(std::move(flags)).read().arena_file.string();
  };
  CHECK(file({"--journal", "sqlite:/j/a.db"}) == "/j/a.db.arena");
  CHECK(file({"--journal", "sqlite:/j/a.db", "--arena", "/k/b"}) == "/k/b");
  CHECK(file({"--journal", "sqlite:/j/a.db", "--arena", "memory"}).empty());
  CHECK(file({"--journal", "memory"}).empty());
  CHECK(file({"--journal", "memory", "--arena", "/k/b"}) == "/k/b");
}

TEST_CASE("settings: webhooks are off, and their file is beside the journal's") {
  const auto off = serve({"--journal", "sqlite:/j/a.db"}).read();
  CHECK_FALSE(off.webhooks);
  CHECK(off.webhook_file.empty());
  const auto on = serve({"--journal", "sqlite:/j/a.db", "--webhooks"}).read();
  CHECK(on.webhooks);
  CHECK(on.webhook_file == "/j/a.db.webhooks");
  CHECK(on.webhook_delay == limits::webhook_delay_default);
  CHECK(serve({"--webhooks", "--webhook-file", "/k/w"}).read().webhook_file == "/k/w");
  CHECK(serve({"--webhooks", "--journal", "memory"}).read().webhook_file.empty());
  const auto s =
      serve({"--webhooks-max", "7", "--webhook-delay-seconds", "0", "--webhook-call-seconds", "9",
             "--webhook-pause-seconds", "60", "--webhook-failures-max", "3"})
          .read();
  CHECK(s.webhooks_max == 7);
  CHECK(s.webhook_delay.count() == 0);
  CHECK(s.webhook_call.count() == 9);
  CHECK(s.webhook_pause.count() == 60);
  CHECK(s.webhook_failures_max == 3);
  CHECK(serve({"--webhook-call-seconds", "0"}).mistake() != "no mistake");
  CHECK(serve({"--webhooks", "--cluster", "service=games"}).mistake() ==
        "gamehub: webhooks is on together with cluster, and the hubs of a cluster share no "
        "webhooks: remove one of them.");
}

TEST_CASE("settings: leave the version and the help of the whole program to be printed") {
  const auto version = start{{"--version"}, {}}.parse();
  CHECK(version.printed == "gamehub 1.2.3\n");
  CHECK(version.ran == what::nothing);
  const auto help = start{{"--help"}, {}}.parse();
  CHECK(help.ran == what::nothing);
  for (const auto* verb : {"\n  serve ", "\n  engines "})
    CHECK(help.printed.find(verb) != std::string::npos);
}

TEST_CASE("settings: take a public URL that others can be put behind") {
  for (const auto* good :
       {"https://hub-1.example", "http://10.0.0.1:8080", "https://a.b/hub/1", ""})
    CHECK(serve({"--public-url", good}).read().public_url == good);
  for (const auto* bad : {"hub-1.example", "ftp://a.b", "https://", "https:///x", "https://a.b/",
                          "https://a.b?x", "https://a.b#x", "https://a b"})
    CHECK(serve({"--public-url", bad}).mistake().find("--public-url") != std::string::npos);
}

TEST_CASE("settings: a site that may show the page in a frame is an origin, and nothing else") {
  CHECK(serve({"--http-frame-site", "https://club.example,http://localhost:3000"})
            .read()
            .http_frame_sites ==
        std::vector<std::string>{"https://club.example", "http://localhost:3000"});
  for (const auto* wrong : {"club.example", "https://club.example/x",
                            "https://a.example; script-src *", "https://a.example 'self'", "*"})
    CHECK(serve({"--http-frame-site", wrong}).mistake().find("--http-frame-site") !=
          std::string::npos);
}

}  // namespace
}  // namespace gamehub::config
