#include "hub/app/new_engine/request.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "engines/abi.h"
#include "engines/json.hpp"
#include "engines/registry.hpp"
#include "hub/app/verb_line.hpp"

namespace gamehub::app {
namespace {

// Targets that CMake makes itself: an engine of that name would have none.
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
    throw usage_error{"say what the engine is called, as in gamehub engine new hexapawn"};
  if (!is_plain_id(id))
    throw usage_error{shown(id) + " is no name for an engine: give up to " +
                           std::to_string(new_engine_id_bytes_max) +
                           " letters a-z, digits and dashes between them, such as last-stone"};
  if (std::find(std::begin(cmake_words), std::end(cmake_words), id) != std::end(cmake_words))
    throw usage_error{shown(id) + " means something to CMake: give the engine another name"};
  const auto known = engines::registry::built_in();
  for (const auto& each : known.all())
    if (each.id() == id)
      throw usage_error{"the hub has an engine " + id + " already: give yours another name"};
}

// "last-stone" is called "Last Stone" unless it was said.
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
  // The rules of JSON's strings: no controls, and well-formed UTF-8.
  const bool is_text = engines::json::valid('"' + title + '"') &&
                       title.find_first_of("\\\"") == title.npos &&
                       title.find_first_not_of(' ') != title.npos;
  if (!is_text || title.size() > new_engine_title_bytes_max)
    throw usage_error{"--title is " + shown(title) + ": give up to " +
                           std::to_string(new_engine_title_bytes_max) +
                           " bytes of text without quotes and backslashes"};
}

int number(const std::string& flag, const std::string& text, int most) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most)
    throw usage_error{flag + " is " + shown(text) + ": give a number from 1 to " +
                           std::to_string(most)};
  return n;
}

class new_engine_line {
 public:
  new_engine_line() {
    engine_->require_subcommand(1);
    for (auto* each : {&app_, engine_, new_}) set_help(*each, name_columns);
    new_->allow_extras();
    new_->add_option("NAME", id_, "what clients ask for: letters a-z, digits and dashes")
        ->type_name("");
    add_text(*new_, "--players", players_, "N", "how many play it: 1 to 62, by default 2");
    add_text(*new_, "--rows", rows_, "N",
             "of its board, 1 to 64; without rows and columns it has none");
    add_text(*new_, "--columns", columns_, "N", "of its board, 1 to 64");
    add_text(*new_, "--title", title_, "TEXT", "what people read; by default the name in capitals");
    add_text(*new_, "--language", language_, "cpp|c",
             "that the rules are written in, by default cpp");
    add_text(*new_, "--into", into_, "DIR", "where the project's folder is made; by default here");
    new_->footer("What it makes builds as it is, and passes gamehub engine check.");
  }

  std::variant<new_engine_request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, "gamehub engine new")) return *std::move(help);
    refuse_extras(*new_, "gamehub engine new");
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
      throw usage_error{
          "a board has rows and columns: give both of --rows and --columns, or none for a game "
          "without a board"};
    if (given("--rows"))
      out.cells = new_engine_request::board{number("--rows", rows_, new_engine_side_max),
                                            number("--columns", columns_, new_engine_side_max)};
    if (language_ != "cpp" && language_ != "c")
      throw usage_error{"--language is " + shown(language_) + ": give cpp or c"};
    if (language_ == "c") out.in = new_engine_request::language::c;
    if (given("--into")) out.into = into_;
    return out;
  }

  static constexpr std::size_t name_columns = 34;

  std::string id_, title_, players_, rows_, columns_, into_;
  std::string language_ = "cpp";

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* engine_ = app_.add_subcommand("engine", "Helps who writes an engine.");
  CLI::App* new_ = engine_->add_subcommand(
      "new", "Makes the project of a new engine: rules that work, to be replaced by yours.");
};

}  // namespace

std::variant<new_engine_request, reply> parse_new_engine(int argc, const char* const* argv) {
  try {
    return new_engine_line{}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app
