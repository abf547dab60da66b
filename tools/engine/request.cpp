#include "tools/engine/request.hpp"

#include "engines/abi.h"
#include "engines/host/registry.hpp"
#include "engines/json.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace gamehub::tools::engine {
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

void check_id(const std::string& id) {
  if (id.empty())
    throw base::usage_error{
        "engine new: missing name of the engine. Example: gamehub engine new hexapawn"};
  if (!is_plain_id(id))
    throw base::usage_error{config::shown(id) + " is not a valid name of an engine: give up to " +
                            std::to_string(new_engine_id_bytes_max) +
                            " letters a-z, digits and dashes between them, such as last-stone"};
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

void check_title(const std::string& title) {
  // The rules of JSON strings: no control characters, and well-formed UTF-8.
  const bool is_text = engines::json::valid('"' + title + '"') &&
                       title.find_first_of("\\\"") == title.npos &&
                       title.find_first_not_of(' ') != title.npos;
  if (!is_text || title.size() > new_engine_title_bytes_max)
    throw base::usage_error{"--title is " + config::shown(title) + ": give up to " +
                            std::to_string(new_engine_title_bytes_max) +
                            " bytes of text without quotes and backslashes"};
}

int number(const std::string& flag, const std::string& text, int most) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most)
    throw base::usage_error{flag + " is " + config::shown(text) + ": give a number from 1 to " +
                            std::to_string(most)};
  return n;
}

class new_engine_line {
 public:
  new_engine_line() {
    engine_->require_subcommand(1);
    for (auto* each : {&app_, engine_, new_}) config::set_help(*each, name_columns);
    new_->allow_extras();
    new_->add_option("NAME", id_, "id of the engine: letters a-z, digits and dashes")
        ->type_name("");
    config::add_text(*new_, "--players", players_, "N", "number of players, 1 to 62; default: 2");
    config::add_text(*new_, "--rows", rows_, "N",
                     "rows of the board, 1 to 64; without rows and columns the game has no board");
    config::add_text(*new_, "--columns", columns_, "N", "columns of the board, 1 to 64");
    config::add_text(*new_, "--title", title_, "TEXT",
                     "title for people; default: the name with capital letters");
    config::add_text(*new_, "--language", language_, "cpp|c",
                     "language of the rules; default: cpp");
    config::add_text(*new_, "--into", into_, "DIR",
                     "parent folder of the project; default: the current folder");
    new_->footer("The project builds without changes and passes gamehub engine check.");
  }

  std::variant<new_engine_request, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, "gamehub engine new"))
      return *std::move(help);
    config::refuse_extras(*new_, "gamehub engine new");
    return request();
  }

 private:
  bool given(const std::string& flag) const { return new_->get_option(flag)->count() > 0; }

  new_engine_request request() const {
    new_engine_request out;
    check_id(id_);
    out.id = id_;
    out.title = given("--title") ? title_ : title_of(id_);
    check_title(out.title);
    if (given("--players")) out.players = number("--players", players_, GAMEHUB_SEATS_MAX);
    if (given("--rows") != given("--columns"))
      throw base::usage_error{
          "a board has rows and columns: give both --rows and --columns, or neither for a game "
          "without a board"};
    if (given("--rows"))
      out.cells = new_engine_request::board{number("--rows", rows_, new_engine_side_max),
                                            number("--columns", columns_, new_engine_side_max)};
    if (language_ != "cpp" && language_ != "c")
      throw base::usage_error{"--language is " + config::shown(language_) + ": give cpp or c"};
    if (language_ == "c") out.in = new_engine_request::language::c;
    if (given("--into")) out.into = into_;
    return out;
  }

  static constexpr std::size_t name_columns = 34;

  std::string id_, title_, players_, rows_, columns_, into_;
  std::string language_ = "cpp";

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* engine_ = app_.add_subcommand("engine", "Tools for authors of engines.");
  CLI::App* new_ = engine_->add_subcommand(
      "new", "Creates the project of a new engine, with working rules to be replaced by yours.");
};

}  // namespace

std::variant<new_engine_request, config::early_exit> parse_new_engine(int argc,
                                                                      const char* const* argv) {
  try {
    return new_engine_line{}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::tools::engine
