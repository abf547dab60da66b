#include "tests/support/catch.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/samples.hpp"
#include "tests/tidy/text.hpp"
#include "tests/tidy/tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::tidy {
namespace {

TEST_CASE("tidy: the source tree keeps every rule") {
  const auto files = read_tree(GAMEHUB_SOURCE_DIR);
  std::vector<std::string> paths;
  std::vector<violation> found;
  const auto add = [&](std::vector<violation> more) {
    for (auto& each : more) found.push_back(std::move(each));
  };
  for (const auto& file : files) {
    paths.push_back(file.path);
    add(check(file));
  }
  const auto includes = include_graph(files);
  const auto links = link_graph(files);
  add(check_places(paths));
  add(check_cycles(includes));
  add(check_links(files));
  add(check_cycles(links));
  // A wrong root, or a filter that matches nothing, must not look like a tidy tree.
  REQUIRE(std::find(paths.begin(), paths.end(), "hub/core/limits.hpp") != paths.end());
  REQUIRE(std::find(paths.begin(), paths.end(), "dev") != paths.end());
  INFO(told(found));
  CHECK(includes.size() > 50);
  CHECK(links.size() > 20);
  CHECK(found.empty());
}

TEST_CASE("tidy: the source tree has no more words than its baseline") {
  const auto files = read_tree(GAMEHUB_SOURCE_DIR);
  const auto path = std::filesystem::path{GAMEHUB_SOURCE_DIR} / "tests/tidy/words_baseline.txt";
  auto baseline = read_text(path);
  if (std::getenv("GAMEHUB_WRITE_BASELINE") != nullptr) {
    auto next = words_baseline(files);
    INFO("the baseline may only shrink: mend the new hits first, or correct its rows by hand");
    REQUIRE((baseline.empty() || sum_of_baseline(next) <= sum_of_baseline(baseline)));
    std::ofstream{path, std::ios::binary} << next;
    baseline = std::move(next);
  }
  INFO(told(check_words(files, baseline)));
  CHECK(check_words(files, baseline).empty());
}

TEST_CASE("tidy: the runbook quotes what the hub writes") {
  const auto found = check_runbook(read_tree(GAMEHUB_SOURCE_DIR));
  INFO(told(found));
  CHECK(found.empty());
}

TEST_CASE("tidy: a text that the runbook quotes is in the sources") {
  const auto quoted = [](const std::string& text) {
    return told(check_runbook(
        {{"deploy/README.md",
          "One.\n```\nit is `not here` at all\n```\nThe log has `" + text + "`."},
         {"hub/server/a.cpp",
          "log(\"the hub \"\n    \"waits for \" + why + \" games \\\"of it\\\"\");\n"},
         {"hub/server/a_test.cpp", "log(\"the test alone has it\");\n"}}));
  };
  CHECK(quoted("the hub waits for …") == "");
  CHECK(quoted("the hub\n  waits for 12 games") == "");
  CHECK(quoted("kubectl logs of it") == "");
  CHECK(quoted("two words") == "");
  CHECK(quoted("durability = power") == "");
  says(quoted("the hub waits so long"), "no source has 'the hub waits so long'");
  says(quoted("the test alone has it"), "no source has");
  says(told(check_runbook({{"hub/server/a.cpp", ""}})), "is not there");
}

TEST_CASE("tidy: a header begins with a short comment and is included once") {
  CHECK(told(check({"hub/core/a.hpp", "// What.\n#pragma once\n"})) == "");
  CHECK(told(check({"engines/a.h", "/* What,\n * and more. */\n#pragma once\n"})) == "");
  says(told(check({"hub/core/a.hpp", "#pragma once\n"})), "begins without a comment");
  says(told(check({"hub/core/a.hpp", "// What.\n"})), "lacks #pragma once");
  std::string long_comment;
  for (int line = 0; line < 9; ++line) long_comment += "// and more\n";
  says(told(check({"hub/core/a.hpp", long_comment + "#pragma once\n"})), "over 8 lines");
  CHECK(told(check({"hub/core/a.cpp", "namespace gamehub {}\n"})) == "");
}

TEST_CASE("tidy: files are short, tests may be longer") {
  const auto lines = [](std::size_t count) {
    std::string text;
    for (std::size_t line = 0; line < count; ++line) text += "// a\n";
    return text;
  };
  CHECK(told(check({"hub/core/a.cpp", lines(800)})) == "");
  says(told_of("hub/core/a.cpp", lines(801)), "over 800 lines");
  CHECK(told(check({"hub/core/a_test.cpp", lines(1000)})) == "");
  says(told_of("hub/core/a_test.cpp", lines(1001)), "over 1000 lines");
}

TEST_CASE("tidy: functions of the program have at most 60 lines") {
  const auto function = [](const std::string& head, std::size_t lines) {
    auto text = head + " {\n";
    for (std::size_t line = 2; line < lines; ++line) text += "  f({1}, \"{\");\n";
    return text + "}\n";
  };
  for (const auto* head : {"void a()", "int b::c(int d) const", "b::b() : c_{1}, d_{2}",
                           "  void e() override", "void f(int g,\n       int h) noexcept"}) {
    CHECK(told_of("hub/core/a.cpp", function(head, 60)) == "");
    says(told_of("hub/core/a.cpp", function(head, 61)), "begins a function of 61 lines");
    CHECK(told_of("hub/core/a_test.cpp", function(head, 61)) == "");
  }
  for (const auto* head : {"class b", "class b final", "struct b", "enum class b",
                           "int b[] =", "namespace gamehub::c", "extern \"C\""})
    CHECK(told_of("hub/core/a.cpp", function(head, 99)) == "");
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

TEST_CASE("tidy: only the programs write to standard output") {
  for (const auto* path : {"actors/game/a.cpp", "hub/config/a.cpp", "hub/league/a.cpp"})
    says(told_of(path, "std::cout << 1;\n"), "take a std::ostream&");
  for (const auto* path :
       {"hub/server/a.cpp", "hub/admin/a.cpp", "tools/udp_lab/a.cpp", "tests/bench/a.cpp"})
    CHECK(told_of(path, "std::cout << 1;\n") == "");
  CHECK(told_of("actors/game/a.cpp", "// std::cout\nauto a = \"std::cout\";\n") == "");
}

TEST_CASE("tidy: tests do not sleep") {
  for (const auto* call :
       {"std::this_thread::sleep_for(s);\n", "std::this_thread::sleep_until(s);\n", "usleep(1);\n",
        "nanosleep(&t, nullptr);\n"}) {
    says(told_of("hub/core/a_test.cpp", call), "drive the manual loop");
    says(told_of("tests/system/a.cpp", call), "drive the manual loop");
    CHECK(told_of("hub/server/a.cpp", call) == "");
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

TEST_CASE("tidy: a test is in the folder of its unit") {
  CHECK(check_places({"hub/core/ids.hpp", "hub/core/ids_test.cpp"}).empty());
  CHECK(check_places({"hub/core/ids.hpp", "hub/core/ids_text_test.cpp"}).empty());
  CHECK(check_places({"tests/system/drain_test.cpp"}).empty());
  says(told(check_places({"hub/core/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/ids.hpp", "hub/core/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/core.hpp", "hub/core_x/ids_test.cpp"})), "beside no unit");
  says(told(check_places({"hub/core/id.hpp", "hub/core/ids_test.cpp"})), "beside no unit");
}

TEST_CASE("tidy: code is separated from comments and literals") {
  CHECK(code_of("a // b\nc") == "a     \nc");
  CHECK(code_of("a /* b\nc */ d") == "a     \n     d");
  CHECK(code_of("f(\"a\\\"b\", c)") == "f(\"    \", c)");
  CHECK(code_of("x = 1'000; y") == "x = 1'000; y");
  CHECK(code_of("c = '\"'; y") == "c = ' '; y");
  CHECK(code_of("R\"(a \" b)\"; y") == "R\"       \"; y");
  CHECK(code_of("\"unended\nnext").substr(9) == "next");
}

TEST_CASE("tidy: one star matches within a folder, two stars match across folders") {
  CHECK(glob("a/*", "a/b"));
  CHECK_FALSE(glob("a/*", "a/b/c"));
  CHECK(glob("a/**", "a/b/c"));
  CHECK(glob("a/*/**", "a/b/c/d"));
  CHECK_FALSE(glob("a/*/**", "a/b"));
  CHECK_FALSE(glob("a/b", "a/bc"));
}

}  // namespace
}  // namespace gamehub::tests::tidy
