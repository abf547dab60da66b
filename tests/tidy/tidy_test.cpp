#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"
#include "tests/tidy/tree.hpp"

namespace gamehub::tests::tidy {
namespace {

std::string told(const std::vector<violation>& found) {
  std::string text;
  for (const auto& each : found)
    text += each.path + ":" + std::to_string(each.line) + ": " + each.what + "\n";
  return text;
}

// What `check` has to say of a source that is otherwise in order.
std::string told_of(std::string path, const std::string& text) {
  const auto header = path.ends_with(".hpp") || path.ends_with(".h");
  return told(check({std::move(path), (header ? "// What it is.\n#pragma once\n" : "") + text}));
}

bool says(const std::string& told, const std::string& words) {
  INFO("told: " << told);
  const auto has = told.find(words) != told.npos;
  CHECK(has);
  return has;
}

std::string including(const std::string& path, const std::string& header) {
  return told_of(path, "#include " + header + "\n");
}

TEST_CASE("tidy: the source tree keeps every rule") {
  const auto files = read_tree(GAMEHUB_SOURCE_DIR);
  std::vector<std::string> paths;
  std::vector<violation> found;
  for (const auto& file : files) {
    paths.push_back(file.path);
    for (auto& each : check(file)) found.push_back(std::move(each));
  }
  for (auto& each : check_places(paths)) found.push_back(std::move(each));
  // So that a wrong root or a filter that takes nothing does not look like a tidy tree.
  REQUIRE(std::find(paths.begin(), paths.end(), "hub/core/limits.hpp") != paths.end());
  REQUIRE(std::find(paths.begin(), paths.end(), "dev") != paths.end());
  INFO(told(found));
  CHECK(found.empty());
}

TEST_CASE("tidy: the vocabulary includes the standard library only") {
  CHECK(including("hub/core/a.hpp", "<vector>") == "");
  CHECK(including("hub/core/a.hpp", "\"hub/core/ids.hpp\"") == "");
  for (const auto* header :
       {"<nlohmann/json.hpp>", "<boost/asio.hpp>", "<unistd.h>", "<caf/all.hpp>"})
    says(including("hub/core/a.hpp", header), "may not include");
  says(including("hub/core/a.hpp", "\"engines/engine.hpp\""), "the vocabulary knows");
}

TEST_CASE("tidy: an engine stands alone") {
  CHECK(including("engines/nim/nim.cpp", "\"engines/plugin.hpp\"") == "");
  CHECK(including("engines/nim/nim.cpp", "\"engines/nim/heaps.hpp\"") == "");
  CHECK(including("engines/nim/nim.cpp", "<cstdint>") == "");
  says(including("engines/nim/nim.cpp", "\"engines/chess/chess.hpp\""), "an engine stands alone");
  says(including("engines/nim/nim.cpp", "\"hub/core/ids.hpp\""), "an engine stands alone");
  says(including("engines/nim/nim.cpp", "<dlfcn.h>"), "an engine stands alone");
  CHECK(including("engines/loader.cpp", "<dlfcn.h>") == "");
  says(including("engines/loader.cpp", "\"hub/core/ids.hpp\""), "nothing of the hub");
}

TEST_CASE("tidy: gateways and actors never include each other") {
  says(including("gateways/line/line.cpp", "\"actors/session.hpp\""), "may not include");
  says(including("gateways/net/connection.cpp", "\"actors/loop.hpp\""), "may not include");
  says(including("actors/session.cpp", "\"gateways/codec.hpp\""), "may not include");
  says(including("gateways/line/line.cpp", "\"gateways/web/web.hpp\""), "may not include");
  CHECK(including("gateways/line/line.cpp", "\"gateways/codec.hpp\"") == "");
  CHECK(including("gateways/line/line.cpp", "\"hub/core/intent.hpp\"") == "");
  CHECK(including("gateways/line/line.cpp", "<nlohmann/json.hpp>") == "");
}

TEST_CASE("tidy: each library has its home") {
  CHECK(including("actors/game.cpp", "<caf/all.hpp>") == "");
  says(including("hub/app/hub.cpp", "<caf/all.hpp>"), "belongs to actors/");
  CHECK(including("actors/loop.cpp", "<boost/asio/post.hpp>") == "");
  says(including("actors/game.cpp", "<boost/asio/post.hpp>"), "belongs to gateways/net");
  CHECK(including("gateways/net/asio.cpp", "<boost/beast/core.hpp>") == "");
  says(including("gateways/line/line.cpp", "<boost/beast/core.hpp>"), "may not include");
  CHECK(including("metrics/metrics.cpp", "<prometheus/registry.h>") == "");
  says(including("hub/app/admin/admin.cpp", "<prometheus/registry.h>"), "belongs to metrics/");
  says(including("hub/app/hub.cpp", "<boost/optional.hpp>"), "use the standard library");
  CHECK(including("hub/journal/sqlite.cpp", "<sqlite3.h>") == "");
  says(including("actors/game.cpp", "<sqlite3.h>"), "use the journal");
  says(including("hub/core/ids_test.cpp", "<catch2/catch.hpp>"), "tests/support/catch.hpp");
  CHECK(including("tests/support/catch.hpp", "<catch2/catch.hpp>") == "");
}

TEST_CASE("tidy: a unit's test may use what tests share") {
  CHECK(including("hub/core/ids_test.cpp", "\"tests/support/catch.hpp\"") == "");
  CHECK(including("engines/nim/nim_test.cpp", "\"tests/contract/engine_contract.hpp\"") == "");
  says(including("hub/core/ids.cpp", "\"tests/support/catch.hpp\""), "may not include");
}

TEST_CASE("tidy: a source in no layer is refused") {
  says(including("misc/a.cpp", "<vector>"), "is in no layer");
}

TEST_CASE("tidy: an include that is spelled unusually is still seen") {
  says(including("hub/core/a.hpp", "  <caf/all.hpp>  // really"), "may not include");
  says(told_of("hub/core/a.hpp", "  #  include <caf/all.hpp>\n"), "may not include");
  CHECK(told_of("hub/core/a.hpp", "// #include <caf/all.hpp>\n") == "");
}

TEST_CASE("tidy: a header begins with a short comment and is included once") {
  CHECK(told(check({"hub/core/a.hpp", "// What.\n#pragma once\n"})) == "");
  CHECK(told(check({"engines/a.h", "/* What,\n * and more. */\n#pragma once\n"})) == "");
  says(told(check({"hub/core/a.hpp", "#pragma once\n"})), "begins without a comment");
  says(told(check({"hub/core/a.hpp", "// What.\n"})), "lacks #pragma once");
  std::string long_comment;
  for (int line = 0; line < 9; ++line) long_comment += "// and more\n";
  says(told(check({"hub/core/a.hpp", long_comment + "#pragma once\n"})), "over 8 lines");
  CHECK(told(check({"hub/core/a.cpp", "int a;\n"})) == "");
}

TEST_CASE("tidy: files are short, tests may be longer") {
  const auto lines = [](std::size_t count) {
    std::string text;
    for (std::size_t line = 0; line < count; ++line) text += "int a;\n";
    return text;
  };
  CHECK(told_of("hub/core/a.cpp", lines(400)) == "");
  says(told_of("hub/core/a.cpp", lines(401)), "over 400 lines");
  CHECK(told_of("hub/core/a_test.cpp", lines(600)) == "");
  says(told_of("hub/core/a_test.cpp", lines(601)), "over 600 lines");
}

TEST_CASE("tidy: marks of unfinished work, tabs and trailing blanks are found in any text") {
  for (const auto* path : {"hub/core/a.cpp", "README.md", "dev"}) {
    says(told_of(path, std::string{"// TO"} + "DO: later\n"), "open an issue");
    says(told_of(path, std::string{"// FIX"} + "ME\n"), "open an issue");
    says(told_of(path, "int a; \n"), "ends in blanks");
    says(told_of(path, "int a;\r\n"), "ends in blanks");
  }
  says(told_of("hub/core/a.cpp", "\tint a;\n"), "has a tab");
  CHECK(told_of("hub/core/a.cpp", std::string{"int TO"} + "DOR;\n") == "");
}

TEST_CASE("tidy: no source knows one machine's folders or hosts") {
  const auto folder = std::string{"/wor"} + "k/";
  says(told_of("README.md", "see " + folder + "notes\n"), "of one machine");
  says(told_of("hub/core/a.cpp", "auto a = \"" + folder + "a\";\n"), "of one machine");
  CHECK(told_of("dev", "cp a build/fuzz" + folder + "a\n") == "");
  says(told_of("README.md", std::string{"from http://deb.deb"} + "ian.org/\n"), "host of packages");
  says(told_of("README.md", std::string{"registry.npm"} + "js.org\n"), "host of packages");
  CHECK(told_of("README.md", "behind proxy.example.com\n") == "");
  CHECK(told_of("README.md", "see www.foo.org, and ask deb. There\n") == "");
}

TEST_CASE("tidy: namespaces are not opened, but for literals, and ours in a test") {
  says(told_of("hub/core/a.hpp", "using namespace std;\n"), "using namespace");
  says(told_of("hub/core/a.hpp", "  using namespace std::literals;\n"), "using namespace");
  says(told_of("hub/core/a.cpp", "  using namespace std;\n"), "using namespace");
  CHECK(told_of("hub/core/a.cpp", "  using namespace std::chrono_literals;\n") == "");
  says(told_of("hub/core/a_test.cpp", "using namespace std;\n"), "using namespace");
  CHECK(told_of("hub/core/a_test.cpp", "using namespace gamehub::journal;\n") == "");
}

TEST_CASE("tidy: only the program writes to standard output") {
  says(told_of("actors/a.cpp", "std::cout << 1;\n"), "take a std::ostream&");
  CHECK(told_of("hub/app/a.cpp", "std::cout << 1;\n") == "");
  CHECK(told_of("actors/a.cpp", "// std::cout\nauto a = \"std::cout\";\n") == "");
}

TEST_CASE("tidy: tests do not sleep") {
  for (const auto* call :
       {"std::this_thread::sleep_for(s);\n", "std::this_thread::sleep_until(s);\n", "usleep(1);\n",
        "nanosleep(&t, nullptr);\n"}) {
    says(told_of("hub/core/a_test.cpp", call), "drive the manual loop");
    says(told_of("tests/system/a.cpp", call), "drive the manual loop");
    CHECK(told_of("hub/app/a.cpp", call) == "");
  }
}

TEST_CASE("tidy: types are named in the words of the domain") {
  says(told_of("hub/core/a.cpp", "class chat_user {};\n"), "say player");
  says(told_of("hub/core/a.cpp", "struct room;\n"), "say table");
  says(told_of("hub/core/a.cpp", "enum class chat_room {};\n"), "say table");
  says(told_of("hub/core/a.cpp", "using game_manager = int;\n"), "what it does");
  says(told_of("hub/core/a.cpp", "template <class t> struct string_utils {};\n"), "what it does");
  says(told_of("hub/core/a.cpp", "class loop_impl {};\n"), "a concrete name");
  CHECK(told_of("hub/core/a.cpp",
                "struct impl;\nint user = 1;\nstruct mushroom {};\nstruct user_mistake {};\n") ==
        "");
}

TEST_CASE("tidy: a test lies beside its unit") {
  CHECK(check_places({"hub/core/ids.hpp", "hub/core/ids_test.cpp"}).empty());
  CHECK(check_places({"hub/core/ids.hpp", "hub/core/ids_text_test.cpp"}).empty());
  CHECK(check_places({"tests/system/drain_test.cpp"}).empty());
  says(told(check_places({"hub/core/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/ids.hpp", "hub/core/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/core.hpp", "hub/core_x/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/core/id.hpp", "hub/core/ids_test.cpp"})), "beside no unit");
}

TEST_CASE("tidy: code is told from comments and literals") {
  CHECK(code_of("a // b\nc") == "a     \nc");
  CHECK(code_of("a /* b\nc */ d") == "a     \n     d");
  CHECK(code_of("f(\"a\\\"b\", c)") == "f(\"    \", c)");
  CHECK(code_of("x = 1'000; y") == "x = 1'000; y");
  CHECK(code_of("c = '\"'; y") == "c = ' '; y");
  CHECK(code_of("R\"(a \" b)\"; y") == "R\"       \"; y");
  CHECK(code_of("\"unended\nnext").substr(9) == "next");
}

TEST_CASE("tidy: patterns stop at folders unless told not to") {
  CHECK(glob("a/*", "a/b"));
  CHECK_FALSE(glob("a/*", "a/b/c"));
  CHECK(glob("a/**", "a/b/c"));
  CHECK(glob("a/*/**", "a/b/c/d"));
  CHECK_FALSE(glob("a/*/**", "a/b"));
  CHECK_FALSE(glob("a/b", "a/bc"));
}

}  // namespace
}  // namespace gamehub::tests::tidy
