// Engines that are programs (engines/process/README.md): checked, played, brought back after a
// restart, and what the hub says and does of those that are bad.
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/system/hostile.hpp"
#include "tests/system/installation.hpp"
#include "tests/system/runbook.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

const std::string sdk_folder = GAMEHUB_SOURCE_DIR "/engines/sdk/python";

bool has_python() {
  if (has_tool("python3")) return true;
  WARN("there is no python3: not run");
  return false;
}

// The interpreter itself: a version manager's script in PATH would have to start processes.
const std::string& python() {
  static const auto path = [] {
    auto out = run({{"python3", "-c", "import sys; print(sys.executable, end='')"}, {}}).output;
    REQUIRE_FALSE(out.empty());
    return out;
  }();
  return path;
}

std::string last_stone() { return python() + ' ' + sdk_folder + "/last_stone.py"; }

// A program can read what is in the folder of its script.
void copy_sdk(const temporary_folder& to, const std::string& folder = sdk_folder,
              const std::string& extension = ".py") {
  for (const std::string name : {"/gamehub_engine", "/last_stone"})
    std::filesystem::copy_file(folder + name + extension, to.path() + name + extension,
                               std::filesystem::copy_options::overwrite_existing);
}

// Two players of Last Stone, or of a game like it.
class stones {
 public:
  stones(hub& at, const std::string& engine) : first_(at.turns()), second_(at.turns()) {
    first_.connect(nullptr, engine);
    REQUIRE(first_.next().starts_with("name "));
    at.await_waiting(engine, 1);
    second_.connect(nullptr, engine);
    REQUIRE(second_.next().starts_with("name "));
    for (auto* each : both()) REQUIRE(each->next() == "start 0");
    hear(15);
    REQUIRE(first_.next() == "0 turn");
  }

  void take(int count) {
    mover().play(0, R"({"type":"move","action":)" + std::to_string(count) + "}");
  }
  void hear(int left) {
    // The hub adds the winner to the view of a match that is over.
    const std::string winner = left == 0 ? ",\"winner\":0" : "";
    for (auto* each : both())
      REQUIRE(each->next() == "0 state {\"stones\":" + std::to_string(left) + winner + "}");
  }
  // One takes three stones, all that is heard of it, and then it is the turn of the other.
  void take_three() {
    take(3);
    left_ -= 3;
    hear(left_);
    if (left_ > 0) REQUIRE(mover().next() == "0 turn");
  }
  void hear_end() {
    for (auto* each : both())
      for (auto said = each->next(); said != "close 0"; said = each->next()) {
        CAPTURE(said);
        REQUIRE((said == "0 turn" || said.starts_with("0 state ")));
      }
  }
  void play_out() {
    while (left_ > 0) take_three();
    for (auto* each : both()) {
      REQUIRE(each->next() == "close 0");
      CHECK(each->line()["winner_seat"] == 0);
    }
  }
  std::pair<std::string, std::string> secrets() const {
    return {first_.secret(), second_.secret()};
  }
  void leave() {
    for (auto* each : both()) each->socket().close();
  }

 private:
  std::array<turns_client*, 2> both() { return {&first_, &second_}; }
  turns_client& mover() { return (15 - left_) / 3 % 2 == 0 ? first_ : second_; }

  turns_client first_, second_;
  int left_ = 15;
};

TEST_CASE("program_engines: the example in Python keeps the contract, however it is named") {
  if (!has_python()) return;
  const temporary_folder folder;
  const auto file = folder.write("mine.engine", "# Last Stone\ncommand = " + last_stone() + '\n');
  for (const auto& name : {last_stone(), "last-stone=" + last_stone(), file}) {
    CAPTURE(name);
    const auto result =
        run({{tools_program(), "engine", "check", name, "--seeds", "5", "--seconds", "100"},
             {},
             {},
             6 * patience});
    CAPTURE(result.output, result.errors);
    CHECK(result.exit_code == 0);
    CHECK(result.output.starts_with("last-stone 1.0.0 keeps the contract: 5 games, "));
  }
}

TEST_CASE("program_engines: games are played, and go on after the hub was away") {
  if (!has_python()) return;
  const temporary_folder folder;
  const std::vector<std::string> flags{"--engine", "last-stone=" + last_stone(), "--journal",
                                       "sqlite:" + folder.path() + "/journal.db"};
  std::pair<std::string, std::string> secrets;
  {
    hub at{flags};
    at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1);
    at.await_count("gamehub_engine_up", {{"engine", "last-stone"}}, 1);
    CHECK(at.process().errors().find("plugin loaded file=\"last-stone=" + last_stone()) !=
          std::string::npos);
    stones first{at, "last-stone"}, second{at, "last-stone"};
    first.play_out();
    first.leave();
    second.take_three();
    secrets = second.secrets();
    at.process().signal(SIGKILL);
    at.wait();
  }
  hub at{flags};
  at.await_count("gamehub_recovery_games", {{"result", "restored"}}, 1);
  turns_client x{at.turns()}, o{at.turns()};
  x.resume(secrets.first);
  o.resume(secrets.second);
  for (auto* each : {&x, &o}) {
    REQUIRE(each->next().starts_with("name "));
    REQUIRE(each->next() == "start 0");
    REQUIRE(each->next() == "0 state {\"stones\":12}");
  }
  REQUIRE(o.next() == "0 turn");
  for (auto* each : {&x, &o}) each->socket().close();
  at.await_count("gamehub_sessions", {}, 0);
  at.process().signal(SIGTERM);
  CHECK(at.wait() == 0);
  const auto verified =
      run({{hub_program(), "verify", flags[0], flags[1], flags[2], flags[3]}, {}});
  CAPTURE(verified.output, verified.errors);
  CHECK(verified.exit_code == 0);
  CHECK(verified.output.find("verified 2 games") != std::string::npos);
}

TEST_CASE("program_engines: a file in the folder of plugins is loaded, also while the hub runs") {
  if (!has_python()) return;
  const temporary_folder folder;
  hub at{{"--plugins", folder.path()}};
  at.await_count("gamehub_plugins", {}, 0);
  // Found beside the file.
  copy_sdk(folder);
  folder.write("game.py", "from last_stone import LastStone, run\nrun(LastStone)\n");
  folder.write("last-stone.engine", "command = " + python() + " game.py\n");
  at.process().signal(SIGHUP);
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1, 3 * patience);
  stones game{at, "last-stone"};
  game.play_out();
}

TEST_CASE(
    "program_engines: a program of version 1.0 of the protocol is played in two steps a move") {
  if (!has_python()) return;
  const temporary_folder folder;
  copy_sdk(folder);
  // It has no `play`, and says so.
  const auto command =
      python() + ' ' +
      folder.write("old.py",
                   "import gamehub_engine as sdk\nfrom last_stone import LastStone\n"
                   "hello = sdk._Engine.hello\n"
                   "old = lambda it: hello(it).replace(b'GHENGINE\\1\\0\\1', "
                   "b'GHENGINE\\1\\0\\0', 1)\n"
                   "sdk._Engine.hello = old\nsdk._KINDS = sdk._KINDS[:5]\n"
                   "sdk.run(LastStone)\n");
  hub at{{"--engine", "last-stone=" + command}};
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1);
  stones game{at, "last-stone"};
  game.play_out();
  CHECK(at.process().errors().find("failed") == std::string::npos);
}

TEST_CASE(
    "program_engines: several processes of a file share the games, also one that comes late") {
  if (!has_python()) return;
  const temporary_folder folder;
  copy_sdk(folder);
  hub at{{"--plugins", folder.path(), "--engine-processes", "2"}};
  folder.write("late.engine", "command = " + python() + " last_stone.py\nprocesses = 3\n");
  at.process().signal(SIGHUP);
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1, 3 * patience);
  CHECK(at.process().children().size() == 3);
  stones first{at, "last-stone"}, second{at, "last-stone"}, third{at, "last-stone"};
  for (auto* game : {&first, &second, &third}) game->take_three();
  for (auto* game : {&third, &first, &second}) game->play_out();
}

TEST_CASE("program_engines: the SDK in Rust passes its tests, and its example is played") {
  if (!has_tool("cargo")) {
    WARN("there is no cargo: not run");
    return;
  }
  const temporary_folder folder;
  const auto built = run({{"bash", "-euc",
                           "cp -r " GAMEHUB_SOURCE_DIR "/engines/sdk/rust sdk && cd sdk\n"
                           "export CARGO_HOME=$PWD/cargo RUSTFLAGS=-Dwarnings\n"
                           "cargo test --offline && cargo build --offline --example last_stone"},
                          {},
                          folder.path(),
                          12 * patience});
  INFO(built.output << built.errors);
  REQUIRE(built.exit_code == 0);
  const auto command = folder.path() + "/sdk/target/debug/examples/last_stone";
  const auto checked =
      run({{tools_program(), "engine", "check", "last-stone=" + command, "--seeds", "5"},
           {},
           {},
           6 * patience});
  CHECK(checked.exit_code == 0);
  CHECK(checked.output.starts_with("last-stone 1.0.0 keeps the contract: 5 games, "));
  hub at{{"--engine", "last-stone=" + command}};
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 1);
  stones game{at, "last-stone"};
  game.play_out();
}

// Programs that are no engines, or bad ones, by what the hub says of them.
struct bad_program {
  std::string id, command, why;
};

std::string in_shell(const std::string& line) { return "sh -c '" + line + "'"; }

// A game in Python whose class has these lines.
std::string in_python(const temporary_folder& folder, const std::string& name,
                      const std::string& lines) {
  copy_sdk(folder);
  return python() + ' ' +
         folder.write(name + ".py",
                      "import os, socket, sys\nfrom last_stone import *\n"
                      "class Bad(LastStone):\n  id = '" +
                          name + "'\n" + lines + "\nrun(Bad)\n");
}

std::string in_apply(const std::string& line) {
  return "  def apply(self, seat, action):\n    super().apply(seat, action)\n    " + line;
}

TEST_CASE("program_engines: the hub says of every bad one in a sentence what is wrong with it") {
  if (!has_python()) return;
  const temporary_folder folder;
  const auto plain = folder.write("plain", "#!/bin/sh\n");
  const std::string contract = "it breaks the contract of engines: ",
                    no_engine =
                        "its first message is not that of an engine: standard output is "
                        "for the protocol alone";
  const std::vector<bad_program> table{
      {"absent", "./nowhere", "./nowhere can't be started (No such file or directory)"},
      {"plain", plain, plain + " can't be started (Permission denied)"},
      {"quote", "./x 'y", "its command has a quote without an end"},
      {"exits", in_shell("echo sorry >&2; exit 3"), "its process exited with code 3: sorry"},
      {"starts", in_shell("echo $(ls)"),
       "its process exited with code 2: sh: 1: Cannot fork; an engine can't start other processes: "
       "give the program itself, such as /usr/bin/python3"},
      {"crashes", in_shell("kill -SEGV $$"), "its process was ended by SIGSEGV"},
      {"silent", "sleep 100", "it did not start within 6 s"},
      {"closes", in_shell("exec >&-; exec <&-; exec sleep 100"), "it closed its standard output"},
      {"later", in_shell(R"(printf "\14\0\0\0GHENGINE\2\0\0\0"; exec sleep 100)"),
       "it needs version 2.0 of the engine protocol, and this hub speaks 1.1"},
      {"garbage", in_shell("echo hello, world; exec sleep 100"), no_engine},
      {"endless", "yes", no_engine},
      {"zeros", "cat /dev/zero", no_engine},
      {"short", in_shell(R"(printf "\14\0\0\0GHENGINE\1\0\0\0"; exec sleep 100)"),
       "its description is malformed"},
      {"no-module", python() + " -c 'import no_such_module'",
       "its process exited with code 1: Traceback (most recent call last): |   File \"<string>\", "
       "line 1, in <module> | ModuleNotFoundError: No module named 'no_such_module'"},
      {"other-id", last_stone(), "its engine has the id last-stone, not other-id"},
      {"tictactoe", in_python(folder, "tictactoe", ""),
       "engine tictactoe is already there in version 1.0.0"},
      {"no-title", in_python(folder, "no-title", "run(type(\"Mine\", (Game,), {\"id\": \"x\"}))"),
       "its process exited with code 1: the class Mine has no title"},
      {"no-scores", in_python(folder, "no-scores", "  def scores(self): return [1]"),
       contract + "the engine's process fails: in apply (seat "},
      {"throws", in_python(folder, "throws", in_apply("raise ValueError('boo')")),
       contract + "a legal action is refused: 1 fails: ValueError: boo (throws.py:"},
      {"ends", in_python(folder, "ends", in_apply("print('bye'); os._exit(3)")),
       contract + "the engine's process fails: in apply (seat 0, action "},
      {"too-long", in_python(folder, "too-long", in_apply("os.write(4, bytes([255] * 9))")),
       contract + "the engine's process fails: in "},
      {"hangs", in_python(folder, "hangs", in_apply("sys.stdin.read(); os.read(3, 1)")),
       contract + "a call does not come back: apply (seat 0, action "},
      {"forgets", in_python(folder, "forgets", "  def apply(self, seat, action): pass"),
       contract + "an action leaves the hash as it was"},
  };
  std::vector<std::string> words{hub_program(), "engines", "--json"};
  for (const auto& each : table)
    words.insert(words.end(), {"--engine", each.id + '=' + each.command});
  const auto listed = run({words, {}, {}, 3 * patience});
  INFO(listed.output << listed.errors);
  REQUIRE(listed.exit_code == 0);
  std::map<std::string, std::string> refused;
  const auto all = json::parse(listed.output);
  for (const auto& each : all.at("refused"))
    refused[each.at("file").get<std::string>()] = each.at("why");
  CHECK(refused.size() == table.size());
  for (const auto& each : table) {
    const auto& why = refused[each.id + '=' + each.command];
    INFO(each.id << ": " << why);
    CHECK(why.starts_with(each.why));
    CHECK(why.find('\n') == why.npos);
  }
}

// What a program does in the middle of a game, and what the log has of it.
struct misdeed {
  std::string order, line;
  bool ends_process;
  std::vector<std::string> logged;
};

// Gives the order in the middle of a game of the engine `mischief`, while another game of it and
// one of another engine go on. `call` is what the log says of the call in which a process ended.
void check_misdeed(const misdeed& each, const std::string& command, const std::string& other,
                   const std::string& call, const temporary_folder& folder) {
  const auto orders_file = folder.path() + "/orders";
  CAPTURE(each.order);
  std::filesystem::remove(orders_file);
  hub at{{"--engine", "mischief=" + command, "--engine", "last-stone=" + other,
          "--isolate-call-milliseconds", std::to_string(2'000 * slowness), "--isolate-memory-mib",
          "128"}};
  at.await_count("gamehub_plugins", {{"state", "loaded"}}, 2);
  stones elsewhere{at, "last-stone"}, sibling{at, "mischief"}, victim{at, "mischief"};
  elsewhere.take_three();
  folder.write("orders", each.order);
  victim.take(3);
  const bool goes_on = each.order == "print";
  if (goes_on)
    victim.hear(12);
  else
    victim.hear_end();
  std::filesystem::remove(orders_file);
  if (each.ends_process) {
    sibling.hear_end();
    at.await_count("gamehub_engine_restarts_total", {{"engine", "mischief"}}, 1);
    at.await_count("gamehub_engine_up", {{"engine", "mischief"}}, 1);
    stones again{at, "mischief"};
    again.play_out();
  } else {
    sibling.play_out();
    CHECK(at.count("gamehub_engine_restarts_total") == 0);
  }
  elsewhere.play_out();
  for (auto* game : {&elsewhere, &sibling, &victim}) game->leave();
  at.await_count("gamehub_sessions", {}, 0);
  end(at);
  const auto log = at.process().errors();
  CAPTURE(log);
  for (const auto& piece : each.logged) CHECK(log.find(piece) != log.npos);
  if (!each.ends_process) return;
  const auto line = promised("the process of an isolated engine ended, and its games with it") +
                    " engine=mischief version=1.0.0 how=";
  const auto from = log.find(line);
  REQUIRE(from != log.npos);
  const auto said = log.substr(from, log.find('\n', from) - from);
  CHECK(said.find("call=\"" + call) != said.npos);
}

TEST_CASE("program_engines: what goes wrong in a game ends it, or all games of the program") {
  if (!has_python()) return;
  const temporary_folder folder;
  const auto orders_file = folder.path() + "/orders";
  const std::vector<misdeed> table {
    {"print", "print('how are you')", false, {"how are you"}},
        {"exit", "print('bye'); os._exit(3)", true, {"exited with code 3", "last_output=bye"}},
        {"crash", "os.abort()", true, {"was ended by SIGABRT"}},
        {"throw", "raise ValueError('boo')", false, {"ValueError: boo (mischief.py:"}},
        {"input", "input()", false, {"EOFError"}},
        {"spin", "exec('while True: pass')", true, {"did not answer a call within "}},
        {"garbage", "os.write(4, b'hello, hub')", true, {"sent an invalid reply"}},
        {"endless",
         "exec('while True: os.write(4, b\"yes\" * 9999)')",
         true,
         {"sent an invalid reply"}},
        {"start", "os.system('sleep 100') and exec('raise OSError')", false, {"an engine failed"}},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        {"leak", "[bytearray(1 << 26) for _ in range(9)]", true, {"out of memory"}},
        {"read", "open('/etc/passwd')", false, {"PermissionError"}},
        {"write", "open('x', 'w')", false, {"PermissionError"}},
        {"connect", "socket.socket()", false, {"PermissionError"}},
        {"kill", "os.kill(os.getppid(), 9)", false, {"PermissionError"}},
        {"trace", "open('/proc/' + str(os.getppid()) + '/mem', 'r+b')", false, {"PermissionError"}},
        {"environment", "len(os.environ) > 5 or exec('raise OSError')", false, {"OSError"}},
#endif
  };
  std::string lines =
      "  def apply(self, seat, action):\n    super().apply(seat, action)\n"
      "    order = open('" +
      orders_file + "').read() if os.path.exists('" + orders_file + "') else ''\n";
  for (const auto& each : table)
    lines += "    if order == '" + each.order + "': " + each.line + '\n';
  const auto command = in_python(folder, "mischief", lines);
  for (const auto& each : table)
    check_misdeed(each, command, last_stone(), "play (seat 0, {", folder);
}

// A method of the SDK, and the function that the log names when it raises an exception as a game
// begins and at a move; empty: it is not called there.
struct raising {
  std::string method, begins, moves;
};

const std::vector<raising>& raising_methods() {
  static const std::vector<raising> all{
      {"set_up", "create", ""},
      {"to_move", "to_move", "action_from_json"},
      {"chance_outcomes", "chance_outcomes", ""},
      {"legal_actions", "legal_actions", "apply"},
      {"apply", "apply", "apply"},
      {"audience", "audience", "action_from_json"},
      {"view", "view_json", "view_json"},
      {"scores", "", ""},
  };
  return all;
}

// A hub with Last Stone, and a program in which a method raises on command. Chance draws once,
// before its first move.
class raising_program {
 public:
  // The answers are the function that the log names, in one line; empty without a line.
  std::string begin(const std::string& method) {
    match m{at, "mischief", {"actions"}};
    m.seek_first();
    folder_.write("orders", method);
    m.seek_second();
    const auto asked = m.x_is_asked();
    return outcome(asked, m);
  }
  std::string move(const std::string& method) {
    match m{at, "mischief", {"actions"}};
    m.begin();
    folder_.write("orders", method);
    m.play_x(R"({"type":"move","action":3})");
    const auto asked = m.o_is_asked();
    return outcome(asked, m);
  }
  std::string end_by(const std::string& method) {
    stones last{at, "mischief"};
    for (int i = 0; i < 4; ++i) last.take_three();
    folder_.write("orders", method);
    last.take(3);
    last.hear_end();
    return outcome(false, last);
  }
  // The games beside go on.
  void play_others_out() {
    elsewhere_.play_out(), sibling_.play_out();
    elsewhere_.leave(), sibling_.leave();
    at.await_count("gamehub_sessions", {}, 0);
  }

 private:
  std::string file() const {
    std::string lines =
        "  has_chance = True\n  plies_max = 16\n"
        "  def set_up(self, options):\n    super().set_up(options)\n    self.drawn = False\n"
        "  def to_move(self): return super().to_move() if self.drawn else 63\n"
        "  def chance_outcomes(self): return {0: 1}\n"
        "  def apply(self, seat, action):\n    if seat == 63: self.drawn = True\n"
        "    else: super().apply(seat, action)\n"
        "def spoil(name):\n  method = getattr(Bad, name)\n  def call(self, *given):\n"
        "    if os.path.exists(orders) and open(orders).read() == name:\n"
        "      raise ValueError('told')\n    return method(self, *given)\n"
        "  setattr(Bad, name, call)\norders = '" +
        folder_.path() + "/orders'\n";
    for (const auto& each : raising_methods()) lines += "spoil('" + each.method + "')\n";
    return in_python(folder_, "mischief", lines);
  }

  template <class Players>
  std::string outcome(bool asked, Players& players) {
    std::filesystem::remove(folder_.path() + "/orders");
    players.leave();
    at.await_count("gamehub_games_running", {}, 2);
    at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 4);
    const auto log = at.process().errors();
    const auto from = std::exchange(seen_, log.rfind('\n') + 1);
    const auto added = log.substr(from, seen_ - from);
    const std::regex line{
        "error   an engine failed engine=mischief version=1\\.0\\.0 game=[1-9][0-9]* "
        "function=([a-z_]+) what=\"ValueError: told \\(mischief\\.py:[0-9]+\\)\" "};
    std::vector<std::string> found;
    for (std::sregex_iterator i{added.begin(), added.end(), line}; i != std::sregex_iterator{}; ++i)
      found.push_back((*i)[1]);
    CAPTURE(added);
    CHECK(found.size() == (asked ? 0 : 1));
    return found.empty() ? "" : found.front();
  }

  temporary_folder folder_;

 public:
  hub at{{"--engine", "mischief=" + file(), "--engine", "last-stone=" + last_stone(),
          "--turn-seconds", "0"}};

 private:
  stones elsewhere_{at, "last-stone"}, sibling_{at, "mischief"};
  std::size_t seen_ = 0;
};

TEST_CASE("program_engines: what a method raises ends that game alone, and the log names it") {
  if (!has_python()) return;
  raising_program all;
  for (const auto& each : raising_methods()) {
    CAPTURE(each.method);
    CHECK(all.begin(each.method) == each.begins);
    CHECK(all.move(each.method) == each.moves);
  }
  CHECK(all.end_by("scores") == "scores");
  CHECK(all.at.count("gamehub_engine_restarts_total") == 0);
  CHECK(all.at.get("/healthz").status == 200);
  all.play_others_out();
  end(all.at);
}

TEST_CASE("program_engines: the example in JavaScript is played, and its faults end its games") {
  if (!has_tool("node")) {
    WARN("there is no node: not run");
    return;
  }
  const temporary_folder folder;
  copy_sdk(folder, GAMEHUB_SOURCE_DIR "/engines/sdk/javascript", ".mjs");
  const auto example = "node " + folder.path() + "/last_stone.mjs";
  const auto checked =
      run({{tools_program(), "engine", "check", example, "--seeds", "5", "--seconds", "100"},
           {},
           {},
           6 * patience});
  CAPTURE(checked.output, checked.errors);
  CHECK(checked.output.starts_with("last-stone 1.0.0 keeps the contract: 5 games, "));
  const std::vector<misdeed> table {
    {"print", "console.log('how are you'); process.stdout.write('hm')", false, {"how are you"}},
        {"throw", "throw new TypeError('boo')", false, {"TypeError: boo (mischief.mjs:"}},
        {"exit", "console.log('bye'); process.exit(3)", true, {"code 3", "last_output=bye"}},
        {"start", "execFileSync('/bin/true')", false, {"Error: spawnSync /bin/true EPERM"}},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        {"write", "writeFileSync('x', 'y')", false, {"permission denied, open 'x'"}},
        // Of the heap, which is bound, and outside of it.
        {"leak", "for (const all = []; ; ) all.push({})", true, {"was ended by SIG"}},
        {"leak-buffers",
         "for (const all = []; ; ) all.push(Buffer.alloc(1e7, 1))",
         true,
         {"out of memory"}},
#endif
  };
  std::string cases;
  for (const auto& each : table)
    cases += "    if (order === '" + each.order + "') { " + each.line + "; }\n";
  const auto orders_file = folder.path() + "/orders";
  const auto file = folder.write(
      "mischief.mjs",
      "import { execFileSync } from 'node:child_process';\n"
      "import { existsSync, readFileSync, writeFileSync } from 'node:fs';\n"
      "import { run } from './gamehub_engine.mjs';\nimport { LastStone } from './last_stone.mjs';\n"
      "class Mischief extends LastStone {\n  static id = 'mischief';\n  apply(seat, action) {\n"
      "    super.apply(seat, action);\n    const file = '" +
          orders_file +
          "';\n    const order = existsSync(file) ? String(readFileSync(file)) : '';\n" + cases +
          "  }\n}\nrun(Mischief, import.meta.url);\n");
  for (const auto& each : table)
    check_misdeed(each, "node " + file, example, "play (seat 0, {", folder);
}

}  // namespace
}  // namespace gamehub::tests::system
