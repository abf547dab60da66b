// Programs that each violate the contract once (tests/plugins/mutants), in Python, Rust and
// JavaScript, and what `gamehub engine check` finds.
#include "tests/support/catch.hpp"
#include "tests/system/installation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

// The beginning of the finding. "LINE" is a line of the mutant. `rust`: empty if it is the same,
// "-" if the SDK prevents it. `javascript`: empty if it is that of Python, or prevented as in Rust.
struct mutant {
  std::string name, python, rust = {}, javascript = {};
};

const std::string sdk_prevents_it = "-";

std::vector<mutant> mutants_found() {
  const std::string process = "the engine's process fails: in ",
                    differs = "the same actions lead to different states: ",
                    elsewhere = "the same game is another in another process: the saved bytes: ",
                    leak = "a view shows what its viewer may not know: ",
                    refused = "a legal action is refused: 8 is space-not-empty",
                    another_move = "a move by play is not that of single requests: a move, 0:",
                    prevented = sdk_prevents_it;
  return {
      {"random-apply", differs + "what a spectator sees"},
      {"clock", differs + "the saved bytes"},
      {"shared-state", differs + "one of them is over"},
      {"not-restored", differs + "one of them is over", prevented},
      {"other-process", elsewhere},
      {"view-changes-state", "a clone is not the same: the saved bytes: ",
       "a viewer without a seat sees something else than spectators: -2"},
      {"state-is-no-json",
       "a match can't be created: TypeError: the attribute board is not a value of JSON: Object of "
       "type set is not JSON serializable (",
       prevented,
       "a match can't be created: TypeError: the property board is not a value of JSON: an object "
       "of the class Set ("},
      {"keys-are-no-text", "a legal action is refused: ", prevented},
      {"hash-unchanged", "an action leaves the hash as it was"},
      {"hash-misses-field", "two states that differ have the same hash: ",
       "a loaded match is not the one that was saved: what seat 1 sees: ", prevented},
      {"refuses-legal", refused, prevented, refused},
      {"lists-too-few", "an illegal action is taken: seat 0, action ", prevented},
      {"accepts-illegal", "an illegal action is taken: seat -2, action 0", prevented},
      {"refusal-changes-state",
       process + "legal_actions (seat 1), it lists actions of a seat that may not act", prevented},
      {"twice", process + "legal_actions (seat 0), it lists more actions than it declares"},
      {"none-legal", "who is to move has no legal action: seat 0"},
      {"actions-max", process + "legal_actions (seat 0), it lists more actions than it declares"},
      {"plies-max", "a match is longer than plies_max: it goes on after 6 actions"},
      {"state-bytes-max", process + "save, it saves more bytes than it declares"},
      {"reason-is-no-word",
       process + "apply (seat 1, action 7), it gives a reason that is no word"},
      {"seat-that-is-not-there",
       process + "apply (seat 0, action 4), it asks a seat to move that is not there"},
      {"never-ends", "who is to move has no legal action: seat 1"},
      {"never-begins", "no game has a move: each is over before anybody has moved"},
      {"both", "several are to move though turns are not simultaneous"},
      {"at-random", ""},
      {"leaks-card", leak + "seat 1 may not know what chance does, but sees {\"card\":"},
      {"leaks-to-spectators", leak + "a spectator may not know what chance does, "},
      {"tells-everyone", "an action is told to someone whose view hides it: a spectator is told "},
      {"leaks-by-actions", leak + "seat 0 may not know what chance does, but sees {\"card\":"},
      {"leaks-choice", leak + "a spectator may not know what seat 1 does, but sees {\"chosen\":"},
      {"secret-in-the-open", "an action is secret although all information is perfect"},
      {"no-weight", process + "create, it lists a draw that is never made"},
      {"no-draws", process + "create, it says who draws and what is drawn, and both can't be"},
      {"text-of-another", "text does not lead back to its action: 0", prevented},
      {"json-of-another", "JSON does not lead back to its action: {", prevented},
      {"cell-of-another", "a cell does not lead back to its action: 0", prevented},
      {"takes-any-text", "a text without meaning is an action", prevented},
      {"loads-another",
       "a loaded match is not the one that was saved: what a spectator sees: {\"board\":",
       prevented},
      {"clones-the-start",
       "a clone is not the same: what a spectator sees: {\"board\":", prevented},
      {"no-object", process + "view_json (seat -1), it shows a view that is no JSON object"},
      {"mark-of-no-seat",
       "the engine failed: IndexError: ", "the engine failed: index out of bounds: ",
       "the engine failed: RangeError: cell() gave 2, which has no mark ("},
      {"too-many", process + "apply (seat 1, action 4), it has scores that are not of its players"},
      {"no-number", process + "apply (seat 1, action 4), it has a score that is no number"},
      {"scores-change", "the scores of a match that is over change"},
      {"throws-in-set-up", "a match can't be created: LINE, in create"},
      {"throws-in-to-move", "the engine failed: LINE, in to_move"},
      {"throws-in-legal-actions", "the engine failed: LINE, in legal_actions"},
      {"throws-in-apply", "a legal action is refused: 0 fails: LINE, in apply"},
      {"throws-in-scores", "the engine failed: LINE, in scores"},
      {"throws-in-view", "the engine failed: LINE, in view_json"},
      {"throws-in-cell", "the engine failed: LINE, in view_json",
       "the engine failed: LINE, in glyphs"},
      {"throws-in-refusal",
       "the engine fails where it should refuse: seat 1, action 7 fails: LINE, in apply"},
      {"throws-in-audience", "the engine failed: LINE, in action_from_text"},
      {"throws-in-chance-outcomes", "the engine failed: LINE, in chance_outcomes"},
      {"play-of-another", another_move},
      {"play-changes-match", "play changes the match that it copies: ", prevented},
      {"play-fails", another_move, prevented},
      {"exits", process + "apply (seat 0, action 0), it exited with code 3"},
      {"recurses", "the engine failed: RecursionError: maximum recursion depth exceeded",
       process + "view_json (seat -1), it was ended by SIGABRT: ",
       "the engine failed: RangeError: Maximum call stack size exceeded (mutants.mjs:"},
      {"hangs", "a call does not come back: apply (seat 0, action "},
  };
}

// Keep the contract, with a warning or without one.
const std::vector<mutant> mutants_kept{
    {"none-board", ""},
    {"none-cards", ""},
    {"none-hands", ""},
    {"slow", "\n  warning  apply takes up to 3"},
    {"prints", "\n  warning  the engine writes to standard output or error, such as \"hello\""},
};

run_result checked_mutant(const std::string& command, const std::string& name) {
  std::vector<std::string> words{tools_program(), "engine", "check",     command + ' ' + name,
                                 "--seeds",       "6",      "--seconds", "5"};
  // The limit of a call that only waits is four times as long.
  if (name == "hangs") words.emplace_back("--quick");
  return run({words, {}, {}, 6 * patience});
}

// The text without the line of the mutant: "boom (src/main.rs:18:5)" is "LINE".
std::string without_line(std::string text, const std::string& error, const std::string& file) {
  const auto from = text.find(error + " (" + file + ':');
  if (from == text.npos) return text;
  return text.replace(from, text.find(')', from) + 1 - from, "LINE");
}

const std::string& wanted_in_python(const mutant& m) { return m.python; }

const std::string& wanted_in_rust(const mutant& m) { return m.rust.empty() ? m.python : m.rust; }

const std::string& wanted_in_javascript(const mutant& m) {
  if (!m.javascript.empty()) return m.javascript;
  return m.rust == sdk_prevents_it ? m.rust : m.python;
}

using wanted_text = const std::string& (*)(const mutant&);

// The table has each mutant of the file.
void check_listed(const std::string& command, const std::string& file, wanted_text wanted_in) {
  const auto listed = run({{command, file, "--list"}, {}});
  std::string names;
  for (const auto& all : {mutants_found(), mutants_kept})
    for (const auto& each : all)
      if (wanted_in(each) != sdk_prevents_it) names += each.name + '\n';
  const auto sorted = [](const std::string& lines) {
    return run({{"bash", "-c", "sort <<<\"$0\"", lines}, {}}).output;
  };
  CHECK(sorted(listed.output) == sorted(names));
}

void check_mutants(const std::string& command, const std::string& error, const std::string& file,
                   wanted_text wanted_in) {
  for (const auto& each : mutants_found()) {
    const auto& wanted = wanted_in(each);
    if (wanted == sdk_prevents_it) continue;
    const auto result = checked_mutant(command, each.name);
    CAPTURE(each.name, result.output, result.errors);
    CHECK(result.exit_code == 1);
    const std::string says = " breaks the contract: ";
    const auto at = result.output.find(says);
    REQUIRE(at != std::string::npos);
    const auto found = without_line(result.output.substr(at + says.size()), error, file);
    CHECK(found.substr(0, wanted.size()) == wanted);
  }
  for (const auto& each : mutants_kept) {
    const auto result = checked_mutant(command, each.name);
    CAPTURE(each.name, result.output, result.errors);
    CHECK(result.exit_code == 0);
    CHECK(has(result.output, each.python));
    if (!each.python.empty()) continue;
    // A busy machine makes calls slow.
    for (auto at = result.output.find("warning"); at != std::string::npos;
         at = result.output.find("warning", at + 1))
      CHECK(has(result.output.substr(at, result.output.find('\n', at) - at), " takes up to "));
  }
}

TEST_CASE("engine_mutants: each defect of a program in Python is found, with the call") {
  if (!has_tool("python3")) {
    WARN("there is no python3: not run");
    return;
  }
  const temporary_folder folder;
  for (const std::string file :
       {"tests/plugins/mutants/mutants.py", "engines/sdk/python/gamehub_engine.py"})
    std::filesystem::copy(std::string{GAMEHUB_SOURCE_DIR} + '/' + file, folder.path());
  check_listed("python3", folder.path() + "/mutants.py", wanted_in_python);
  // The interpreter itself: a version manager's script in PATH would have to start processes.
  const auto python =
      run({{"python3", "-c", "import sys; print(sys.executable, end='')"}, {}}).output;
  check_mutants(python + ' ' + folder.path() + "/mutants.py", "ValueError: boom", "mutants.py",
                wanted_in_python);
}

TEST_CASE("engine_mutants: each defect of a program in JavaScript is found, with the call") {
  if (!has_tool("node")) {
    WARN("there is no node: not run");
    return;
  }
  const temporary_folder folder;
  for (const std::string file :
       {"tests/plugins/mutants/mutants.mjs", "engines/sdk/javascript/gamehub_engine.mjs"})
    std::filesystem::copy(std::string{GAMEHUB_SOURCE_DIR} + '/' + file, folder.path());
  const auto file = folder.path() + "/mutants.mjs";
  check_listed("node", file, wanted_in_javascript);
  check_mutants("node " + file, "TypeError: boom", "mutants.mjs", wanted_in_javascript);
}

TEST_CASE("engine_mutants: each defect of a program in Rust is found, with the call") {
  if (!has_tool("cargo")) {
    WARN("there is no cargo: not run");
    return;
  }
  const temporary_folder folder;
  const auto built = run({{"bash", "-euc",
                           "cp -r " GAMEHUB_SOURCE_DIR "/engines/sdk/rust sdk\n"
                           "cp -r " GAMEHUB_SOURCE_DIR "/tests/plugins/mutants/rust .\n"
                           "export CARGO_HOME=$PWD/cargo RUSTFLAGS=-Dwarnings\n"
                           "cd rust && cargo build --offline"},
                          {},
                          folder.path(),
                          12 * patience});
  INFO(built.output << built.errors);
  REQUIRE(built.exit_code == 0);
  check_mutants("mutant=" + folder.path() + "/rust/target/debug/mutants", "boom", "src/main.rs",
                wanted_in_rust);
}

}  // namespace
}  // namespace gamehub::tests::system
