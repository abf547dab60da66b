#include "tools/engine/project.hpp"

#include "engines/abi.h"
#include "tools/engine/templates.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

namespace gamehub::tools::engine {
namespace {

using language = new_engine_request::language;
using words = std::map<std::string, std::string, std::less<>>;

// The mark of each seat, in the order of moves: X and O first.
constexpr std::string_view marks = "XOABCDEFGHIJKLMNPQRSTUVWYZ0123456789abcdefghijklmnopqrstuvwxyz";
static_assert(marks.size() == GAMEHUB_SEATS_MAX);

std::string_view template_named(std::string_view name) {
  const auto all = templates();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const template_file& each) { return each.name == name; });
  if (found == all.end()) throw std::logic_error{"there is no template " + std::string{name}};
  return found->text;
}

// Replaces each @word@ by its value.
std::string filled(std::string_view text, const words& with) {
  std::string out;
  for (auto at = text.find('@'); at != text.npos; at = text.find('@')) {
    const auto end = text.find('@', at + 1);
    const auto word = with.find(text.substr(at + 1, end == text.npos ? end : end - at - 1));
    if (word == with.end()) throw std::logic_error{"a template has an unknown @word@"};
    out += text.substr(0, at);
    out += word->second;
    text.remove_prefix(end + 1);
  }
  return out += text;
}

// Two question marks would begin a trigraph.
std::string in_c_string(const std::string& title) {
  std::string out;
  for (const char c : title) {
    if (c == '?') out += '\\';
    out += c;
  }
  return out;
}

std::string extension_of(language in) {
  switch (in) {
    case language::c: return ".c";
    case language::python: return ".py";
    case language::rust: return ".rs";
    case language::javascript: return ".mjs";
    case language::cpp: break;
  }
  return ".cpp";
}

// An interpreter reads the source.
bool is_script(language in) { return in == language::python || in == language::javascript; }

// As a word of a command.
std::string command_of_interpreter(const new_engine_request& r) {
  if (r.interpreter.empty()) return interpreter_of(r);
  return r.interpreter.find(' ') == r.interpreter.npos ? r.interpreter : '"' + r.interpreter + '"';
}

std::string sdk_file_of(language in) { return "gamehub_engine" + extension_of(in); }

// No keyword, number or module of Python begins with "game_".
std::string module_of(const new_engine_request& r) {
  auto name = r.id;
  std::replace(name.begin(), name.end(), '-', '_');
  return (r.in == language::python ? "game_" : "") + name;
}

// The name of a package of Rust does not begin with a digit.
std::string crate_of(const new_engine_request& r) { return "game-" + r.id; }

std::string source_of(const new_engine_request& r) {
  return r.in == language::rust ? "src/main.rs" : module_of(r) + extension_of(r.in);
}

// The test of rules in C is in C++; that of rules in Rust is in their file.
std::string test_source_of(const new_engine_request& r) {
  return module_of(r) + "_test" + (is_script(r.in) ? extension_of(r.in) : ".cpp");
}

// The length of a winning line: three, or less on a smaller board.
int line_of(const new_engine_request::board& b) { return std::min(3, std::max(b.rows, b.columns)); }

// The base of the class has most members.
bool is_derived(const new_engine_request& r) { return r.in == language::cpp && r.cells; }

std::string what_it_plays(const new_engine_request& r) {
  const auto who =
      r.players == 1 ? std::string{"One player"} : std::to_string(r.players) + " players in turn";
  const std::string s = r.players == 1 ? "s" : "";
  if (r.cards)
    return "Each player gets a card that only this player sees. All stay or fold at the same "
           "time;\nthe highest card of those who stay wins.";
  if (!r.cells)
    return who + " take" + s + " one, two or three of 15 stones; the player of the last one wins.";
  return who + " mark" + s + " a free cell of a board of " + std::to_string(r.cells->rows) + " × " +
         std::to_string(r.cells->columns) + "; the first player with " +
         std::to_string(line_of(*r.cells)) + " in a line wins.";
}

// What an author changes first, beside the view and the bounds.
std::string members_of(const new_engine_request& r) {
  if (r.in == language::python)
    return "`set_up`, then `to_move`, `legal_actions`, `apply`, `scores`";
  if (r.in == language::javascript)
    return "`setUp`, then `toMove`, `legalActions`, `apply`, `scores`";
  return is_derived(r) ? "`at`, `winner`, `to_move`, `apply`"
                       : "`to_move`, `legal_actions`, `apply`, `scores`";
}

words words_for(const new_engine_request& r) {
  const bool is_c = r.in == language::c;
  words out{
      {"abi", std::to_string(GAMEHUB_ABI_MAJOR) + '.' + std::to_string(GAMEHUB_ABI_MINOR)},
      {"c_title", in_c_string(r.title)},
      {"cmake_language", is_c ? "C" : "CXX"},
      {"cmake_languages", is_c ? "C CXX" : "CXX"},
      {"command", r.in == language::rust ? "./target/release/" + crate_of(r)
                                         : command_of_interpreter(r) + ' ' + source_of(r)},
      {"crate", crate_of(r)},
      {"first_mark", std::string{marks.substr(0, 1)}},
      {"id", r.id},
      {"interpreter", interpreter_of(r)},
      {"module", module_of(r)},
      {"marks", std::string{marks.substr(0, static_cast<std::size_t>(r.players))}},
      {"members", members_of(r)},
      {"players", std::to_string(r.players)},
      {"sdk_file", sdk_file_of(r.in)},
      {"source", source_of(r)},
      {"test_source", test_source_of(r)},
      {"title", r.title},
      {"what", what_it_plays(r)},
      {"where_bounds", is_c ? "`gamehub_engine`" : "`about`"},
      {"where_more",
       is_c ? "`engines/abi.h`, which is installed with gamehub, documents the "
              "contract of every function."
            : "`engines/plugin.hpp`, which is installed with gamehub, documents the "
              "optional parts of a class\n(options, secrets, chance, an opponent)" +
                  std::string{is_derived(r) ? ", `engines/grid_game.hpp` the base." : "."}},
  };
  if (r.cells) {
    out["rows"] = std::to_string(r.cells->rows);
    out["columns"] = std::to_string(r.cells->columns);
    out["line"] = std::to_string(line_of(*r.cells));
  }
  return out;
}

std::string what_of_script(const new_engine_request& r) {
  const auto name = interpreter_of(r);
  const auto begin =
      "\nHere " + name + " is a script that starts the program, which an engine can't do: ";
  if (!r.interpreter.empty())
    return begin + r.id + ".engine has the program, " + r.interpreter + ".\n";
  return begin + "in " + r.id + ".engine, write the path of the program in place of " + name +
         ". This prints it:\n\n  " + question_of_interpreter(r) + '\n';
}

// The program of an engine in Rust, with a copy of the SDK.
std::vector<project_file> with_rust_sdk(std::vector<project_file> out) {
  for (const auto& each : templates())
    if (each.name.starts_with("gamehub-engine/"))
      out.push_back({std::string{each.name}, std::string{each.text}});
  return out;
}

}  // namespace

std::vector<project_file> project_of(const new_engine_request& r) {
  const auto with = words_for(r);
  const std::string kind = r.cards ? "cards" : r.cells ? "board" : "plain";
  const auto rules = kind + extension_of(r.in);
  const auto make = [&](const std::string& name, std::string_view from) {
    return project_file{name, filled(template_named(from), with)};
  };
  if (is_script(r.in))
    return {make("README.md", "README.script.md"),
            make(r.id + ".engine", "engine"),
            make(source_of(r), rules),
            make(test_source_of(r), kind + "_test" + extension_of(r.in)),
            {sdk_file_of(r.in), std::string{template_named(sdk_file_of(r.in))}}};
  if (r.in == language::rust)
    return with_rust_sdk({make("README.md", "README.rust.md"),
                          make(r.id + ".engine", "engine"),
                          make("Cargo.toml", "Cargo.toml"),
                          make(source_of(r), rules),
                          {".gitignore", "/target/\n"}});
  return {make("CMakeLists.txt", "CMakeLists.txt"),
          make("README.md", "README.md"),
          make(source_of(r), rules),
          make(test_source_of(r), kind + "_test.cpp"),
          make(".clang-format", "clang-format"),
          make(".gitignore", "gitignore")};
}

std::string interpreter_of(const new_engine_request& r) {
  return !is_script(r.in) ? "" : r.in == language::python ? "python3" : "node";
}

std::string question_of_interpreter(const new_engine_request& r) {
  return r.in == language::python ? "python3 -c 'import sys; print(sys.executable)'"
                                  : "node -p process.execPath";
}

std::string next_steps(const new_engine_request& r, const sdk_place& sdk, bool by_script) {
  const auto folder = r.into.lexically_normal() / r.id;
  const auto shown = folder.lexically_normal().string();
  std::string out =
      "made " + shown + ": " + source_of(r) + " has the rules, README.md the next steps\n\n";
  if (is_script(r.in) || r.in == language::rust)
    return out + "  cd " + shown + "\n  " +
           (r.in == language::rust ? "cargo test --offline\n  cargo build --release --offline"
                                   : interpreter_of(r) + ' ' + test_source_of(r)) +
           "\n  gamehub-tools engine check ./" + r.id + ".engine\n" +
           (by_script ? what_of_script(r) : "");
  std::string where;
  if (sdk.prefix.empty()) {
    out +=
        "The SDK is not installed with this program. Install it from the checkout of its build:\n"
        "  cmake --install build/release --prefix PREFIX\n\n";
    where = " -DCMAKE_PREFIX_PATH=PREFIX";
  } else if (!sdk.found_by_cmake) {
    where = " -DCMAKE_PREFIX_PATH=" + sdk.prefix.string();
  }
  return out + "  cd " + shown + "\n  cmake -B build" + where +
         " && cmake --build build\n  ctest --test-dir build\n";
}

}  // namespace gamehub::tools::engine
