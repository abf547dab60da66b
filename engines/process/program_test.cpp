#include "engines/process/program.hpp"

#include "tests/support/catch.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::engines::process {
namespace {

using words = std::vector<std::string>;

std::string fault_of(std::string_view command) {
  const auto found = words_of(command);
  const auto* wrong = std::get_if<std::string>(&found);
  return wrong == nullptr ? "none" : *wrong;
}

TEST_CASE("program: a text names a program by a file, by an id, or by blanks") {
  CHECK(is_program("/plugins/mygame.engine"));
  CHECK(is_program("mygame=./mygame"));
  CHECK(is_program("python3 mygame.py"));
  CHECK_FALSE(is_program("tictactoe"));
  CHECK_FALSE(is_program("./mygame.so"));
  CHECK_FALSE(is_program("/no such folder/mygame.so"));
  CHECK_FALSE(is_program("/plugins/a=b.so"));
  CHECK_FALSE(is_program(""));
}

TEST_CASE("program: an id stands before the command") {
  CHECK(id_in("last-stone=python3 x.py --rows=3") == "last-stone");
  CHECK(id_in("python3 x.py --rows=3").empty());
  CHECK(id_in("Mygame=./mygame").empty());
  CHECK(id_in("=./mygame").empty());
  CHECK(id_in("mygame").empty());
  CHECK(text_of("last-stone=python3 x.py") == "last-stone=python3 x.py");
  CHECK(text_of("x.engine") == std::filesystem::absolute("x.engine").string());
  CHECK(id_fault("hex=./hex", "hex").empty());
  CHECK(id_fault("python3 hex.py", "go").empty());
  CHECK(id_fault("hex=./hex", "go") == "its engine has the id go, not hex");
}

TEST_CASE("program: blanks separate the words of a command, and quotes keep them together") {
  CHECK(std::get<words>(words_of(" python3  my.py\t-x ")) == words{"python3", "my.py", "-x"});
  CHECK(std::get<words>(words_of(R"(a "b c" 'd "e' f" g"h '')")) ==
        words{"a", "b c", "d \"e", "f gh", ""});
  CHECK(std::get<words>(words_of("a $HOME *.py; b")) == words{"a", "$HOME", "*.py;", "b"});
  CHECK(fault_of("a 'b") == "its command has a quote without an end");
  CHECK(fault_of(" \t") == "it has no command: write a line such as command = python3 mygame.py");
}

TEST_CASE("program: a file has one setting a line") {
  const auto good = read_engine_file("# my game\n\n  command =  python3 mygame.py \r\n");
  CHECK(good.command == "python3 mygame.py");
  CHECK(good.wrong.empty());
  CHECK(read_engine_file("command = a = b").command == "a = b");
  const auto fault = [](std::string_view text) { return read_engine_file(text).wrong; };
  CHECK(fault("") == "it has no command: write a line such as command = python3 mygame.py");
  CHECK(fault("command =") == fault(""));
  CHECK(fault("command = 'a") == "its command has a quote without an end");
  CHECK(good.processes == 0);
  CHECK(read_engine_file("processes = 8\ncommand = a\n").processes == 8);
  CHECK(fault("processes = 2\n") == fault(""));
  const std::string other =
      " is no setting of such a file: write command = python3 mygame.py once, and, if it is to "
      "have more than one process, processes = 1 to 8";
  for (const auto* bad : {"0", "9", "10", "-1", "", "two"})
    CHECK(fault("command = a\nprocesses = " + std::string{bad}) == "line 2" + other);
  CHECK(fault("command = a\nprocesses = 2\nprocesses = 2\n") == "line 3" + other);
  CHECK(fault("# a\ncommand = a\nmemory = 3\n") == "line 3" + other);
  CHECK(fault("command = a\ncommand = b\n") == "line 2" + other);
  CHECK(fault("python3 mygame.py") == "line 1" + other);
}

}  // namespace
}  // namespace gamehub::engines::process
