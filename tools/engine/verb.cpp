#include "tools/engine/verb.hpp"

#include "engines/abi.h"
#include "engines/check/check.hpp"
#include "engines/check/limits.hpp"
#include "engines/check/report_text.hpp"
#include "engines/host/options.hpp"
#include "engines/host/registry.hpp"
#include "engines/json.hpp"
#include "engines/process/direct_channel.hpp"
#include "engines/process/program.hpp"
#include "hub/base/text.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "tools/engine/open_engine.hpp"
#include "tools/engine/play_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace gamehub::tools::engine {
namespace {

namespace fs = std::filesystem;

// A temporary folder. The destructor removes it unless finish() gave it its final name.
class temporary_folder {
 public:
  explicit temporary_folder(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
    path_ += ".part";
    std::error_code error;
    // A killed program may have left it.
    fs::remove_all(path_, error);
    if (!fs::create_directory(path_, error)) fail(error);
  }
  ~temporary_folder() {
    std::error_code ignored;
    if (!complete_) fs::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  void write(const project_file& file) const {
    std::error_code error;
    fs::create_directories((path_ / file.name).parent_path(), error);
    if (error) fail(error);
    std::ofstream out{path_ / file.name, std::ios::binary};
    out << file.text;
    out.close();
    if (!out) fail(std::make_error_code(std::errc::io_error));
  }
  void finish() {
    std::error_code error;
    fs::rename(path_, wanted_, error);
    if (error) fail(error);
    complete_ = true;
  }

 private:
  [[noreturn]] void fail(const std::error_code& why) const {
    throw base::usage_error{config::shown(wanted_.string()) + " can't be created (" +
                            why.message() +
                            "): give a folder with space and write permission with --into"};
  }

  const fs::path wanted_;
  fs::path path_;
  bool complete_ = false;
};

std::vector<fs::path> folders_in(const std::string& path_variable) {
  std::vector<fs::path> out;
  for (std::size_t begin = 0; begin <= path_variable.size();) {
    const auto end = std::min(path_variable.find(':', begin), path_variable.size());
    if (end > begin) out.emplace_back(path_variable.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

void make_project(const new_engine_request& r) {
  std::error_code ignored;
  if (!fs::is_directory(r.into, ignored))
    throw base::usage_error{"--into is " + config::shown(r.into.string()) +
                            ", which is not a folder: create it, or give another one"};
  const auto wanted = (r.into / r.id).lexically_normal();
  if (fs::exists(fs::symlink_status(wanted, ignored)))
    throw base::usage_error{config::shown(wanted.string()) +
                            " already exists and is not changed: give the engine another name, or "
                            "another folder with --into"};
  temporary_folder folder{wanted};
  for (const auto& file : project_of(r)) folder.write(file);
  folder.finish();
}

sdk_place find_sdk(const fs::path& program, const std::string& path_variable) {
  std::error_code ignored;
  const auto bin = program.parent_path();
  const auto prefix = bin.parent_path();
  if (!fs::exists(prefix / "share/cmake/gamehub-engine", ignored)) return {};
  // CMake searches the prefixes of the folders in PATH.
  sdk_place out{prefix, false};
  for (const auto& folder : folders_in(path_variable))
    if (fs::equivalent(folder, bin, ignored)) out.found_by_cmake = true;
  return out;
}

bool is_script_in(const std::string& path_variable, const std::string& name) {
  for (const auto& folder : folders_in(path_variable)) {
    const auto file = folder / name;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored) || access(file.c_str(), X_OK) != 0) continue;
    char begin[2] = {};
    std::ifstream{file, std::ios::binary}.read(begin, sizeof begin);
    return begin[0] == '#' && begin[1] == '!';
  }
  return false;
}

std::string program_printed_by(const std::string& command) {
  std::FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) return {};
  std::array<char, 4096> bytes{};
  std::string out{bytes.data(), std::fread(bytes.data(), 1, bytes.size(), output)};
  pclose(output);
  out = std::string{base::trimmed(out, " \n")};
  const bool is_program = out.starts_with('/') && out.find_first_of("\"'\n") == out.npos &&
                          access(out.c_str(), X_OK) == 0;
  return is_program ? out : "";
}

int carry_out(new_engine_request r) {
  std::error_code ignored;
  const char* const variable = std::getenv("PATH");
  const std::string path = variable != nullptr ? variable : "";
  const bool by_script = is_script_in(path, interpreter_of(r));
  if (by_script) r.interpreter = program_printed_by(question_of_interpreter(r));
  make_project(r);
  const auto sdk = find_sdk(fs::read_symlink("/proc/self/exe", ignored), path);
  return config::print(next_steps(r, sdk, by_script));
}

int carry_out(const engines::check::check_request& r) {
  const auto found = engines::check::check(r);
  if (!found.unusable.empty()) throw base::usage_error{found.unusable};
  const auto text = r.json ? engines::check::in_json(found, r) : engines::check::in_words(found, r);
  if (config::print(text) != EXIT_SUCCESS) return EXIT_FAILURE;
  return found.kept() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int carry_out(const strength_request& r) {
  const auto rules = open_engine(r.target);
  if (const auto wrong = engines::host::validate_options(r.options, rules.options_schema()))
    throw base::usage_error{"--options: " + *wrong};
  return config::print(strength_table(rules, r));
}

namespace {

// Runs what calls an engine. Returns the program's exit code.
int run_engine(const std::function<void()>& what) {
  try {
    what();
    return config::print("");
  } catch (const engines::host::engine_failure& failure) {
    std::cout << std::flush;
    std::cerr << "gamehub: the engine has failed"
              << (failure.function().empty() ? "" : " in " + failure.function()) << ": "
              << terminal_text(failure.what()) << ".\n";
    return EXIT_FAILURE;
  }
}

}  // namespace

int carry_out(const play_request& r) {
  std::ifstream file;
  if (!r.moves.empty()) {
    file.open(r.moves, std::ios::binary);
    if (!file)
      throw base::usage_error{"--moves: " + config::shown(r.moves.string()) +
                              " can't be read: give a file with a move on each line"};
  }
  return run_engine([&] {
    play_game(open_engine(r.target), r, r.moves.empty() ? std::cin : file, std::cout,
              r.moves.empty() && isatty(STDIN_FILENO) == 1);
  });
}

int carry_out(const moves_request& r) {
  if (r.target.empty() && (!r.options.empty() || r.players != 0))
    throw base::usage_error{"--options and --players are of one engine: name it"};
  return run_engine([&] {
    if (r.json)
      std::cout << (r.target.empty() ? all_moves_json(r) : moves_json(open_engine(r.target), r))
                << '\n';
    else
      std::cout << (r.target.empty() ? moves_page(r) : moves_section(open_engine(r.target), r));
  });
}

namespace {

// Targets of CMake itself, which an engine's target must not be named like.
constexpr std::string_view cmake_words[] = {"all",     "clean",   "depend",     "help",
                                            "install", "package", "preinstall", "test"};

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_plain_id(std::string_view id) {
  return !id.empty() && id.size() <= new_engine_id_bytes_max && is_letter_or_digit(id.front()) &&
         is_letter_or_digit(id.back()) && std::all_of(id.begin(), id.end(), [](char c) {
           return is_letter_or_digit(c) || c == '-';
         });
}

// Throws usage_error for a name that another engine or target has.
void check_id(const std::string& id) {
  if (std::find(std::begin(cmake_words), std::end(cmake_words), id) != std::end(cmake_words))
    throw base::usage_error{config::shown(id) +
                            " is the name of a CMake target: give the engine another name"};
  const auto known = engines::host::registry::built_in();
  for (const auto& each : known.all())
    if (each.id() == id)
      throw base::usage_error{"the hub already has an engine " + id + ": give yours another name"};
}

// The default title: "Last Stone" for "last-stone".
std::string title_of(std::string id) {
  bool begins = true;
  for (char& c : id) {
    if (begins && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    begins = c == '-';
    if (begins) c = ' ';
  }
  return id;
}

bool is_title(std::string_view title) {
  // The rules of JSON strings: no control characters, and well-formed UTF-8.
  return engines::json::valid('"' + std::string{title} + '"') &&
         title.find_first_of("\\\"") == title.npos && title.find_first_not_of(' ') != title.npos &&
         title.size() <= new_engine_title_bytes_max;
}

void add_new_verb(config::verb& to, std::function<int(const new_engine_request&)> run) {
  struct given {
    new_engine_request r;
    std::optional<int> rows, columns;
  };
  const auto it = std::make_shared<given>();
  auto& made = to.add("new",
                      "Creates the project of a new engine, with working rules to be replaced by "
                      "yours.");
  auto& id = made.text("NAME", "", "id of the engine: letters a-z, digits and dashes", "",
                       "up to " + std::to_string(new_engine_id_bytes_max) +
                           " letters a-z, digits and dashes between them, such as last-stone",
                       [it](std::string_view text) {
                         it->r.id = text;
                         return is_plain_id(text);
                       });
  id.required = true;
  made.number("players", "number of players, 1 to 62", it->r.players, 1, GAMEHUB_SEATS_MAX);
  made.number("rows", "rows of the board, 1 to 64; without rows and columns the game has no board",
              it->rows, 1, new_engine_side_max);
  made.number("columns", "columns of the board, 1 to 64", it->columns, 1, new_engine_side_max);
  made.flag("cards", "a game of hidden cards, draws of chance and simultaneous choices",
            it->r.cards);
  made.text("title", "TEXT", "title for people; default: the name with capital letters", "",
            "up to " + std::to_string(new_engine_title_bytes_max) +
                " bytes of text without quotes and backslashes",
            [it](std::string_view text) {
              it->r.title = text;
              return is_title(text);
            });
  using in = new_engine_request::language;
  made.word("language", "language of the rules", it->r.in,
            {{"cpp", in::cpp},
             {"c", in::c},
             {"python", in::python},
             {"rust", in::rust},
             {"javascript", in::javascript}});
  made.path("into", "DIR", "parent folder of the project; default: the current folder", it->r.into);
  made.footer = "The project works without changes and passes gamehub engine check.";
  made.run = [it, run = std::move(run)](config::settings&) {
    auto& r = it->r;
    check_id(r.id);
    if (r.title.empty()) r.title = title_of(r.id);
    if (it->rows.has_value() != it->columns.has_value())
      throw base::usage_error{
          "a board has rows and columns: give both --rows and --columns, or neither for a game "
          "without a board"};
    if (it->rows) r.cells = new_engine_request::board{*it->rows, *it->columns};
    if (r.cards && r.cells)
      throw base::usage_error{
          "a game of cards has no board: give --cards, or --rows and --columns"};
    if (r.cards && r.in == in::c)
      throw base::usage_error{
          "there are no rules with --cards in C: give --language cpp, python, rust or javascript"};
    return run(r);
  };
}

constexpr std::string_view engine_help =
    "the file of a plugin, the id of a built-in engine, or the command of a program, such as "
    "\"python3 mygame.py\"";

void add_check_verb(config::verb& to,
                    std::function<int(const engines::check::check_request&)> run) {
  namespace limits = engines::check;
  struct given {
    engines::check::check_request r;
    std::optional<int> seeds, players, perft;
    std::optional<double> seconds;
  };
  const auto it = std::make_shared<given>();
  auto& r = it->r;
  auto& check = to.add("check", "Checks that an engine keeps the contract of engines.");
  check.text("ENGINE", "", std::string{engine_help}, r.target).required = true;
  check.number("seeds", "number of games; default: 100", it->seeds, 1, limits::seeds_max);
  check.number("seed", "seed of the first game, increased by one for each next game", r.seed, 0);
  check.text("options", "JSON", "options of the engine", r.options);
  check.number("players", "number of players", it->players, 1, GAMEHUB_SEATS_MAX);
  check.number("seconds", "time after which no new game starts; default: 20", it->seconds,
               limits::seconds_min, limits::seconds_max);
  check.flag("playthrough", "print the game of the first seed", r.playthrough);
  check.number("perft", "count the move sequences of this length", it->perft, 1,
               limits::perft_depth_max);
  check.flag("quick", "the short check that a hub runs before it loads a plugin", r.quick);
  check.flag("reveals-midway",
             "secrets become public during a match, such as hands between two deals",
             r.reveals_midway);
  check.flag("json", "print one JSON object", r.json);
  // For programs that read files elsewhere, as the hub that runs them.
  check.uses_settings = {"sandbox", "sandbox-read"};
  check.footer =
      "Plays random games in a separate process and checks every answer of the engine against the "
      "contract.\nExit code: 0 if the engine keeps the contract, 1 if not, 2 for a mistake.";
  check.run = [it, run = std::move(run)](config::settings&) {
    auto& asked = it->r;
    if (asked.quick) {
      asked.seeds = limits::quick_seeds;
      const bool program = engines::process::is_program(asked.target);
      asked.seconds =
          std::chrono::duration<double>(program ? limits::quick_program_time : limits::quick_time)
              .count();
      // A plugin can't declare this property.
      asked.reveals_midway = true;
    }
    asked.seeds = it->seeds.value_or(asked.seeds);
    asked.seconds = it->seconds.value_or(asked.seconds);
    asked.players = it->players.value_or(asked.players);
    asked.perft = it->perft.value_or(asked.perft);
    return run(asked);
  };
}

// Reads "1", "1,2", "all" or "none" as seats from 0. Returns false for other texts.
bool read_seats(std::string_view text, play_request& to) {
  to.persons.clear();
  to.all_persons = text == "all";
  if (to.all_persons || text == "none") return true;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const auto seat = config::number_in(text.substr(0, end), 1, GAMEHUB_SEATS_MAX);
    if (!seat || end + 1 == text.size()) return false;
    to.persons.push_back(*seat - 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return !to.persons.empty();
}

void add_play_verb(config::verb& to, std::function<int(const play_request&)> run) {
  struct given {
    play_request r;
    std::optional<int> players;
  };
  const auto it = std::make_shared<given>();
  auto& r = it->r;
  auto& play = to.add("play", "Plays a game of an engine in the terminal.");
  play.text("ENGINE", "", std::string{engine_help}, r.target).required = true;
  play.text("seat", "N[,N]|all|none",
            "seats of persons, counted from 1; all: several persons at one terminal; none: watch",
            "1", "numbers from 1 on with commas between them, all, or none",
            [&r](std::string_view text) { return read_seats(text, r); });
  play.text("level", "random|medium|perfect",
            "strength of the engine's seats; default: medium, or random if the engine has no other",
            "", "random, medium or perfect", [&r](std::string_view text) {
              r.skill = engines::level_of(text);
              return r.skill.has_value();
            });
  play.number("seed", "seed of chance and of the engine's choices", r.seed, 0);
  play.text("options", "JSON", "options of the engine", r.options);
  play.number("players", "number of players", it->players, 1, GAMEHUB_SEATS_MAX);
  play.path("moves", "FILE", "file with a move on each line; default: standard input", r.moves);
  play.uses_settings = {"sandbox", "sandbox-read"};
  play.footer =
      "Reads a move or a command (help, moves, view, undo, quit) from each line of standard input "
      "or of the file.\nFrom a file or a pipe empty lines and lines that begin with # are left "
      "out.\nExit code: 0, also if the input ends before the game; 1 if the engine fails; 2 for a "
      "mistake.";
  play.run = [it, run = std::move(run)](config::settings&) {
    it->r.players = it->players.value_or(0);
    return run(it->r);
  };
}

void add_moves_verb(config::verb& to, std::function<int(const moves_request&)> run) {
  struct given {
    moves_request r;
    std::optional<int> players;
  };
  const auto it = std::make_shared<given>();
  auto& r = it->r;
  auto& moves = to.add("moves", "Prints examples of an engine's moves, as clients send them.");
  moves.text("ENGINE", "", std::string{engine_help} + "; without it, all built-in engines",
             r.target);
  moves.number("seed", "seed of the game from which the examples are", r.seed, 0);
  moves.text("options", "JSON", "options of the engine", r.options);
  moves.number("players", "number of players", it->players, 1, GAMEHUB_SEATS_MAX);
  moves.flag("json", "print one JSON object, with the examples of GET /api/engines/{engine}",
             r.json);
  moves.uses_settings = {"sandbox", "sandbox-read"};
  moves.footer =
      "Prints Markdown or JSON: the text, the JSON and the cell of moves, and the view before.";
  moves.run = [it, run = std::move(run)](config::settings&) {
    it->r.players = it->players.value_or(0);
    return run(it->r);
  };
}

void add_strength_verb(config::verb& to, std::function<int(const strength_request&)> run) {
  struct given {
    strength_request r;
    std::optional<int> playouts, players;
  };
  const auto it = std::make_shared<given>();
  auto& r = it->r;
  auto& strength =
      to.add("strength", "Plays the engine opponent against random play, at each level.");
  strength
      .text("ENGINE", "",
            "the id of a built-in engine, the file of a plugin, or the command of a program",
            r.target)
      .required = true;
  strength.number("games", "number of games of a level", r.games, 1, strength_games_max);
  strength.number("milliseconds", "time of the search for an action", r.milliseconds, 1,
                  strength_milliseconds_max);
  strength.number(
      "playouts",
      "playouts of the search for an action, and looks at an action, in place of its time",
      it->playouts, 1, 1'000'000);
  strength.number("seed", "seed of the first game, increased by one for each next game", r.seed, 0);
  strength.text("options", "JSON", "options of the engine", r.options);
  strength.number("players", "number of players", it->players, 1, GAMEHUB_SEATS_MAX);
  strength.uses_settings = {"sandbox", "sandbox-read"};
  strength.footer =
      "The opponent has each seat equally often. Margin: its score less the mean of the others, "
      "and the interval of 95 %.";
  strength.run = [it, run = std::move(run)](config::settings&) {
    it->r.playouts = it->playouts.value_or(0);
    it->r.players = it->players.value_or(0);
    return run(it->r);
  };
}

}  // namespace

void add_engine_verbs(config::verb& to, std::function<int(const new_engine_request&)> run_new,
                      std::function<int(const engines::check::check_request&)> run_check,
                      std::function<int(const play_request&)> run_play,
                      std::function<int(const moves_request&)> run_moves,
                      std::function<int(const strength_request&)> run_strength) {
  auto& engine = to.add(config::engine_verb.name, config::engine_verb.help);
  add_new_verb(engine, std::move(run_new));
  add_check_verb(engine, std::move(run_check));
  add_play_verb(engine, std::move(run_play));
  add_moves_verb(engine, std::move(run_moves));
  add_strength_verb(engine, std::move(run_strength));
  // The child process of a check.
  engine.add(engines::check::probe_verb, "").run = [](config::settings&) {
    return engines::check::probe();
  };
}

}  // namespace gamehub::tools::engine
