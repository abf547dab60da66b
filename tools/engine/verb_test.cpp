#include "tools/engine/verb.hpp"

#include "engines/check/limits.hpp"
#include "hub/base/usage_error.hpp"
#include "tests/support/verb_line.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>

namespace gamehub::tools::engine {
namespace {

namespace fs = std::filesystem;

class scratch_folder {
 public:
  scratch_folder() {
    auto name = (fs::temp_directory_path() / "new-engine-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp " + name};
    path_ = name;
  }
  ~scratch_folder() { fs::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const fs::path& path() const { return path_; }
  int entries() const { return static_cast<int>(std::distance(fs::directory_iterator{path_}, {})); }

 private:
  fs::path path_;
};

std::string mistake(const new_engine_request& r) {
  try {
    make_project(r);
  } catch (const base::usage_error& what) {
    return base::format_error(what);
  }
  return "no mistake";
}

TEST_CASE("verb: makes a folder with the files of the project") {
  const scratch_folder folder;
  const new_engine_request r{"x-1", "X", 2, {}, new_engine_request::language::cpp, folder.path()};
  make_project(r);
  CHECK(folder.entries() == 1);
  for (const auto& file : project_of(r)) {
    std::ifstream in{folder.path() / "x-1" / file.name};
    CHECK(std::string{std::istreambuf_iterator<char>{in}, {}} == file.text);
  }
}

TEST_CASE("verb: changes no existing file, and leaves no incomplete folder") {
  const scratch_folder folder;
  const new_engine_request r{"x", "X", 2, {}, new_engine_request::language::cpp, folder.path()};
  const auto is_there = [&] {
    CHECK(mistake(r).find("already exists and is not changed") != std::string::npos);
    CHECK(folder.entries() == 1);
  };
  fs::create_directory(folder.path() / "x");
  is_there();
  CHECK(fs::is_empty(folder.path() / "x"));
  fs::remove(folder.path() / "x");
  fs::create_symlink("nowhere", folder.path() / "x");
  is_there();
  fs::remove(folder.path() / "x");
  std::ofstream{folder.path() / "x"} << "mine";
  is_there();
  fs::remove(folder.path() / "x");

  auto elsewhere = r;
  elsewhere.into = folder.path() / "gone";
  CHECK(mistake(elsewhere).find("which is not a folder: create it") != std::string::npos);
  // Not even root can create a folder here.
  elsewhere.into = "/proc";
  CHECK(mistake(elsewhere).find("can't be created (") != std::string::npos);
  // What a program left that was killed is no hindrance.
  fs::create_directory(folder.path() / "x.part");
  CHECK(mistake(r) == "no mistake");
  CHECK(folder.entries() == 1);
}

TEST_CASE("verb: finds the SDK beside the program, and whether CMake would by itself") {
  const scratch_folder folder;
  const auto program = folder.path() / "bin/gamehub";
  CHECK(find_sdk(program, "").prefix.empty());
  fs::create_directories(folder.path() / "share/cmake/gamehub-engine");
  fs::create_directory(folder.path() / "bin");
  CHECK(find_sdk(program, "").prefix == folder.path());
  CHECK_FALSE(find_sdk(program, "").found_by_cmake);
  CHECK_FALSE(find_sdk(program, "/usr/bin::/nowhere:").found_by_cmake);
  const auto bin = (folder.path() / "bin").string();
  CHECK(find_sdk(program, bin).found_by_cmake);
  CHECK(find_sdk(program, "/usr/bin:" + bin + "/:/bin").found_by_cmake);
}

TEST_CASE("verb: finds out whether an interpreter in PATH is a script") {
  const scratch_folder folder;
  const auto put = [&](const std::string& name, const std::string& text, fs::perms more) {
    const auto file = folder.path() / name;
    std::ofstream{file} << text;
    fs::permissions(file, more, fs::perm_options::add);
  };
  fs::create_directory(folder.path() / "first");
  put("first/node", "#!/bin/sh\n", fs::perms::none);  // it can't be started
  put("node",
      "\x7f"
      "ELF",
      fs::perms::owner_exec);
  put("python3", "#!/bin/sh\n", fs::perms::owner_exec);
  const auto path =
      "/nowhere::" + (folder.path() / "first").string() + ':' + folder.path().string();
  CHECK(is_script_in(path, "python3"));
  CHECK_FALSE(is_script_in(path, "node"));
  CHECK_FALSE(is_script_in(path, "perl"));
  CHECK_FALSE(is_script_in("", "python3"));
  CHECK_FALSE(is_script_in(path, ""));
}

TEST_CASE("verb: asks a script in PATH for the program that it starts") {
  CHECK(program_printed_by("echo /bin/sh") == "/bin/sh");
  for (const char* bad : {"echo sh", "echo /nowhere/python3", "exit 3", "echo /bin/sh; echo more",
                          "echo \"'/bin/sh'\"", "true"})
    CHECK(program_printed_by(bad).empty());
}

using language = new_engine_request::language;

const tests::verb_line<new_engine_request> new_line{
    [](config::verb& to, std::function<int(const new_engine_request&)> run) {
      add_engine_verbs(to, std::move(run), {}, {}, {}, {});
    }};

new_engine_request request(tests::words words) {
  words.insert(words.begin(), {"engine", "new"});
  return new_line.request(words);
}

std::string new_mistake(tests::words words) {
  words.insert(words.begin(), {"engine", "new"});
  return new_line.mistake(words);
}

TEST_CASE("engine new: a name alone is a game for two without a board, in C++, made here") {
  const auto r = request({"last-stone"});
  CHECK(r.id == "last-stone");
  CHECK(r.title == "Last Stone");
  CHECK(r.players == 2);
  CHECK_FALSE(r.cells);
  CHECK(r.in == language::cpp);
  CHECK_FALSE(r.cards);
  CHECK(r.into == ".");
}

TEST_CASE("engine new: every flag is used") {
  const auto r = request({"--players", "4", "ludo-2000", "--rows=6", "--columns", "7", "--title",
                          "Ludo “2000”?", "--language", "c", "--into", "/some/where"});
  CHECK(r.id == "ludo-2000");
  CHECK(r.title == "Ludo “2000”?");
  CHECK(r.players == 4);
  REQUIRE(r.cells);
  CHECK(r.cells->rows == 6);
  CHECK(r.cells->columns == 7);
  CHECK(r.in == language::c);
  CHECK(r.into == "/some/where");
  CHECK(request({"x", "--players", "62", "--rows", "64", "--columns", "1"}).players == 62);
  CHECK(request({"x", "--cards", "--language", "rust"}).cards);
}

TEST_CASE("engine new: a mistake is one sentence with the correction") {
  const std::string wanted =
      "give up to 40 letters a-z, digits and dashes between them, such as last-stone.";
  CHECK(new_mistake({}) == "gamehub: NAME is missing: " + wanted);
  for (const std::string bad : {"Last-Stone", "last_stone", "last stone", "last-", "", "ä", "a/b",
                                "..", "12345678901234567890123456789012345678901"})
    CHECK(new_mistake({bad}) == "gamehub: NAME is \"" + bad + "\": " + wanted);
  CHECK(new_mistake({"test"}) ==
        "gamehub: \"test\" is the name of a CMake target: give the engine another name.");
  CHECK(new_mistake({"tictactoe"}) ==
        "gamehub: the hub already has an engine tictactoe: give yours another name.");
  CHECK(new_mistake({"x", "y"}).find("\"y\" is not for gamehub engine new") != std::string::npos);
  CHECK(new_mistake({"x", "--colour", "red"}).find("\"--colour\" is not for") != std::string::npos);
  CHECK(new_mistake({"x", "--players"}).find("--players") != std::string::npos);
  for (const char* bad : {"0", "63", "-1", "two", "2x"})
    CHECK(new_mistake({"x", std::string{"--players="} + bad}).find("from 1 to 62") !=
          std::string::npos);
  CHECK(new_mistake({"x", "--rows", "65", "--columns", "1"}) ==
        "gamehub: --rows is \"65\": give a whole number from 1 to 64.");
  CHECK(new_mistake({"x", "--rows", "3", "--columns", "0"}).find("--columns is \"0\"") !=
        std::string::npos);
  CHECK(new_mistake({"x", "--rows", "3"}).find("give both --rows and --columns") !=
        std::string::npos);
  CHECK(new_mistake({"x", "--columns", "3"}).find("give both") != std::string::npos);
  CHECK(new_mistake({"x", "--cards", "--rows", "3", "--columns", "3"}) ==
        "gamehub: a game of cards has no board: give --cards, or --rows and --columns.");
  CHECK(new_mistake({"x", "--cards", "--language", "c"}) ==
        "gamehub: there are no rules with --cards in C: give --language cpp, python, rust or "
        "javascript.");
  CHECK(new_mistake({"x", "--language", "java"}) ==
        "gamehub: --language is \"java\": give cpp, c, python, rust or javascript.");
  for (const char* bad : {"", " ", "a\"b", "a\\b", "a\nb", "\xff",
                          "a title that goes on and on and on and on and on and on"})
    CHECK(new_mistake({"x", "--title", bad}).find("without quotes") != std::string::npos);
}

TEST_CASE("engine new: help names every flag") {
  const auto help = new_line.help({"engine", "new", "--help"});
  for (const char* flag :
       {"NAME", "--players", "--rows", "--columns", "--cards", "--title", "--language", "--into"})
    CHECK(help.find(flag) != std::string::npos);
}

using engines::check::check_request;

const tests::verb_line<check_request> check_line{
    [](config::verb& to, std::function<int(const check_request&)> run) {
      add_engine_verbs(to, {}, std::move(run), {}, {}, {});
    }};

check_request checked(tests::words words) {
  words.insert(words.begin(), {"engine", "check"});
  return check_line.request(words);
}

std::string check_mistake(tests::words words) {
  words.insert(words.begin(), {"engine", "check"});
  return check_line.mistake(words);
}

TEST_CASE("engine check arguments: an engine is enough") {
  const auto plain = checked({"./x.so"});
  CHECK(plain.target == "./x.so");
  CHECK(plain.seed == 1);
  CHECK(plain.seeds == 100);
  CHECK(plain.perft == 0);
  CHECK_FALSE((plain.quick || plain.json || plain.playthrough || plain.reveals_midway));
}

TEST_CASE("engine check arguments: every flag is used") {
  const auto all = checked({"nim", "--seeds", "7", "--seed", "18446744073709551615", "--options",
                            "{\"heaps\":2}", "--players", "2", "--seconds", "1.5", "--playthrough",
                            "--perft", "4", "--json", "--reveals-midway"});
  CHECK(all.seeds == 7);
  CHECK(all.seed == UINT64_MAX);
  CHECK(all.options == "{\"heaps\":2}");
  CHECK(all.players == 2);
  CHECK(all.seconds == 1.5);
  CHECK(all.perft == 4);
  CHECK((all.playthrough && all.json && all.reveals_midway));
}

TEST_CASE("engine check arguments: a quick check is short, and allows what it can't decide") {
  const auto quick = checked({"nim", "--quick"});
  CHECK(quick.quick);
  CHECK(quick.seeds == engines::check::quick_seeds);
  CHECK(quick.seconds < 1);
  CHECK(quick.reveals_midway);
  CHECK(checked({"nim", "--quick", "--seeds", "3"}).seeds == 3);
}

TEST_CASE("engine check arguments: a mistake is one sentence") {
  CHECK(check_mistake({"nim", "--seeds", "0"}) ==
        "gamehub: --seeds is \"0\": give a whole number from 1 to 1000000.");
  CHECK(check_mistake({"nim", "--players", "63"}) ==
        "gamehub: --players is \"63\": give a whole number from 1 to 62.");
  CHECK(check_mistake({"nim", "--perft", "x"}) ==
        "gamehub: --perft is \"x\": give a whole number from 1 to 30.");
  CHECK(check_mistake({"nim", "--seconds", "-1"}).starts_with("gamehub: --seconds is \"-1\": "));
  CHECK(check_mistake({}).starts_with("gamehub: ENGINE is missing: give the file of a plugin"));
  CHECK(check_mistake({"nim", "--perft", "0"}).find("from 1 to 30") != std::string::npos);
  CHECK(check_mistake({"nim", "chess"}).find("chess") != std::string::npos);
}

TEST_CASE("engine check arguments: help lists the flags") {
  const auto help = check_line.help({"engine", "check", "--help"});
  for (const auto* word : {"ENGINE", "--seed", "--quick", "--perft", "Exit code"})
    CHECK(help.find(word) != std::string::npos);
}

const tests::verb_line<play_request> play_line{
    [](config::verb& to, std::function<int(const play_request&)> run) {
      add_engine_verbs(to, {}, {}, std::move(run), {}, {});
    }};

play_request played(tests::words words) {
  words.insert(words.begin(), {"engine", "play"});
  return play_line.request(words);
}

std::string play_mistake(tests::words words) {
  words.insert(words.begin(), {"engine", "play"});
  return play_line.mistake(words);
}

TEST_CASE("engine play arguments: an engine is enough, and every flag is used") {
  const auto plain = played({"nim"});
  CHECK(plain.target == "nim");
  CHECK(plain.persons == std::vector<int>{0});
  CHECK(plain.seed == 1);
  CHECK_FALSE((plain.skill || plain.all_persons || !plain.moves.empty()));
  const auto all = played({"nim", "--seat", "2,1", "--level", "random", "--seed", "7", "--options",
                           "{\"heaps\":2}", "--players", "2", "--moves", "a.txt"});
  CHECK(all.persons == std::vector<int>{1, 0});
  CHECK(all.skill == engines::level::random);
  CHECK(all.seed == 7);
  CHECK(all.options == "{\"heaps\":2}");
  CHECK(all.players == 2);
  CHECK(all.moves == "a.txt");
  CHECK(played({"nim", "--seat", "all"}).all_persons);
  CHECK(played({"nim", "--seat", "none"}).persons.empty());
}

TEST_CASE("engine play arguments: a mistake is one sentence") {
  for (const auto* seat : {"", "0", "63", "1,", ",1", "1,,2", "x", "1;2"})
    CHECK(play_mistake({"nim", "--seat", seat}) ==
          "gamehub: --seat is \"" + std::string{seat} +
              "\": give numbers from 1 on with commas between them, all, or none.");
  CHECK(play_mistake({"nim", "--level", "good"}) ==
        "gamehub: --level is \"good\": give random, medium or perfect.");
  CHECK(play_mistake({}).starts_with("gamehub: ENGINE is missing: give the file of a plugin"));
}

TEST_CASE("engine moves arguments: without an engine it is all of them") {
  const tests::verb_line<moves_request> line{
      [](config::verb& to, std::function<int(const moves_request&)> run) {
        add_engine_verbs(to, {}, {}, {}, std::move(run), {});
      }};
  CHECK(line.request({"engine", "moves"}).target.empty());
  const auto one = line.request({"engine", "moves", "nim", "--seed", "3", "--options",
                                 "{\"heaps\":2}", "--players", "2", "--json"});
  CHECK(one.json);
  CHECK_FALSE(line.request({"engine", "moves"}).json);
  CHECK(one.target == "nim");
  CHECK(one.seed == 3);
  CHECK(one.options == "{\"heaps\":2}");
  CHECK(one.players == 2);
}

}  // namespace
}  // namespace gamehub::tools::engine
