// Tests of the rules over several files: CMake's link graph, cycles, words.
#include "tests/support/catch.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/samples.hpp"
#include "tests/tidy/text.hpp"

#include <string>
#include <vector>

namespace gamehub::tests::tidy {
namespace {

// A tree with some folders and one CMakeLists.txt.
std::vector<source_file> tree_with(const std::string& cmake, const std::string& path) {
  std::vector<source_file> files;
  for (const auto* folder :
       {"hub/base", "hub/core", "hub/journal", "hub/server", "actors/table", "actors/runtime",
        "gateways", "gateways/net", "gateways/turns", "metrics", "tests/support"})
    files.push_back({std::string{folder} + "/a.cpp", ""});
  files.push_back({path, cmake});
  return files;
}

std::string linking(const std::string& cmake, const std::string& path = "hub/CMakeLists.txt") {
  return told(check_links(tree_with(cmake, path)));
}

TEST_CASE("tidy: a library links what the row of its folder may use") {
  CHECK(linking("gamehub_add_library(gamehub_hub_core SOURCES core/a.cpp\n"
                "  PUBLIC gamehub_hub_base PRIVATE gamehub_flags NO_UNITY core/a.cpp NO_PCH)\n") ==
        "");
  says(linking("gamehub_add_library(gamehub_hub_core SOURCES core/a.cpp\n"
               "  PUBLIC gamehub_hub_journal)\n"),
       "CMakeLists.txt:2: gamehub_hub_core may not link gamehub_hub_journal, the library of "
       "hub/journal");
  says(linking("target_link_libraries(gamehub_actors_table PUBLIC gamehub_gateways_net)\n"),
       "may not link");
  CHECK(linking("target_link_libraries(gamehub_actors_runtime PUBLIC gamehub_metrics)\n") == "");
  says(linking("target_link_libraries(gamehub_hub_core gamehub_tests_support)\n"), "may not link");
  CHECK(linking("target_link_libraries(gamehub_hub_server PRIVATE gamehub_actors_runtime)\n") ==
        "");
}

TEST_CASE("tidy: a library links third parties only where its row has them") {
  CHECK(linking("target_link_libraries(gamehub_hub_journal PRIVATE SQLite::SQLite3\n"
                "  OpenSSL::Crypto Threads::Threads ${CMAKE_DL_LIBS})\n") == "");
  for (const auto* target :
       {"CAF::core", "SQLite::SQLite3", "OpenSSL::Crypto", "CLI11::CLI11", "spdlog::spdlog",
        "ICU::uc", "nlohmann_json::nlohmann_json", "Boost::url", "Boost::headers",
        "prometheus-cpp::core", "${CMAKE_DL_LIBS}", "unknown::thing"}) {
    INFO(target);
    says(linking("target_link_libraries(gamehub_hub_core PRIVATE " + std::string{target} + ")\n"),
         "may not link");
  }
  CHECK(linking("target_link_libraries(gamehub_gateways_net PUBLIC gamehub_asio)\n") == "");
  says(linking("target_link_libraries(gamehub_hub_core PUBLIC gamehub_asio)\n"), "may not link");
}

TEST_CASE("tidy: hub/base has two libraries, and the first one has no log") {
  CHECK(linking("gamehub_add_library(gamehub_hub_base_os SOURCES base/log.cpp\n"
                "  PUBLIC gamehub_hub_base PRIVATE spdlog::spdlog)\n") == "");
  says(linking("gamehub_add_library(gamehub_hub_base PRIVATE spdlog::spdlog)\n"), "the log is in");
  says(linking("gamehub_add_library(gamehub_hub_base PRIVATE gamehub_hub_base_os)\n"),
       "need no operating system");
}

TEST_CASE("tidy: a library is named after the folder of its sources") {
  says(linking("gamehub_add_library(gamehub_things SOURCES core/a.cpp)\n"), "after no folder");
  says(linking("gamehub_add_library(gamehub_hub_core SOURCES journal/a.cpp)\n"),
       "compiles journal/a.cpp, which is not in hub/core");
  says(linking("target_link_libraries(gamehub_hub_core PRIVATE gamehub_things)\n"),
       "after no folder");
  CHECK(linking("gamehub_add_library(gamehub_gateways_turns SOURCES a.cpp PUBLIC gamehub_gateways)",
                "gateways/turns/CMakeLists.txt") == "");
}

TEST_CASE("tidy: CMake is read without comments, across lines, with variables") {
  CHECK(linking("# target_link_libraries(gamehub_hub_core PRIVATE CAF::core)\n") == "");
  CHECK(linking("target_link_libraries(gamehub_hub_core # CAF::core)\n PRIVATE ${more})\n") == "");
  says(linking(
           "if(A)\n  target_link_libraries(\n    gamehub_hub_core\n    \"CAF::core\")\nendif()\n"),
       "CMakeLists.txt:4:");
  says(linking("target_link_libraries(gamehub_gateways_${protocol} PUBLIC gamehub_gateways_net)\n",
               "gateways/CMakeLists.txt"),
       "may not link");
  CHECK(linking("target_link_libraries(gamehub_gateways_${protocol} PUBLIC gamehub_gateways)\n",
                "gateways/CMakeLists.txt") == "");
  // Programs and tests link what they need.
  CHECK(linking("target_link_libraries(gamehub PRIVATE gamehub_hub_server CAF::core)\n") == "");
  CHECK(linking("gamehub_add_test(core_test SOURCES a_test.cpp LIBS gamehub_hub_journal)\n") == "");
}

TEST_CASE("tidy: a cycle of folders is found in includes and in links") {
  const auto cycle_in = [](const std::vector<source_file>& files) {
    return told(check_cycles(include_graph(files)));
  };
  const source_file a{"x/a/a.cpp", "#include \"x/b/b.hpp\"\n"};
  const source_file b{"x/b/b.hpp", "\n#include \"x/c/c.hpp\"\n#include \"x/b/more.hpp\"\n"};
  const source_file c{"x/c/c.hpp", "#include \"x/a/a.hpp\"\n"};
  CHECK(cycle_in({a, b}) == "");
  CHECK(cycle_in({a, b, {"x/c/c_test.cpp", c.text}, {"tests/c.cpp", c.text}}) == "");
  says(cycle_in({a, b, c}),
       "x/a -> x/b (x/a/a.cpp:1), x/b -> x/c (x/b/b.hpp:2), x/c -> x/a (x/c/c.hpp:1)");
  says(cycle_in({{"x/o/o.cpp", "#include \"x/a/a.hpp\"\n"}, a, b, c}), "folders: x/");

  const auto links = [](const std::string& cmake) {
    return told(check_cycles(link_graph(tree_with(cmake, "hub/CMakeLists.txt"))));
  };
  const std::string forth = "target_link_libraries(gamehub_hub_core PUBLIC gamehub_hub_base)\n";
  CHECK(links(forth) == "");
  says(links(forth + "target_link_libraries(gamehub_hub_base PUBLIC gamehub_hub_core)\n"),
       "closes a cycle of folders: hub/");
}

std::string wording(const std::string& path, const std::string& text,
                    const std::string& baseline = "") {
  return told(check_words({{path, text}}, baseline));
}

TEST_CASE("tidy: words that are not plain are found in comments, literals, documents and help") {
  for (const auto* text :
       {"// Nobody waits.\n", "/* It is\n * anew. */\n", "auto a = \"there are so many\";\n",
        "// as it\n// is\n", "auto a = \"of its \"\n         \"own\";\n", "auto a = R\"(lest)\";\n",
        "int a;  // is none\n", "// what ails it\n", "// `turn` to whom it may concern\n"}) {
    INFO(text);
    says(wording("hub/core/a.cpp", text), "1 words that are not plain, but 0 are in");
  }
  says(wording("README.md", "# Nobody\n"), "not plain");
  says(wording("hub/core/README.md", "whoever\ncomes, somebody\n"), "2 words");
  says(wording("dev", "say 'nobody'\n"), "not plain");
}

TEST_CASE("tidy: names, other words and quotations are not counted") {
  for (const auto* text : {"int nobody = somebody(anew);\n", "#include \"hub/core/nobody.hpp\"\n",
                           "// It fails, at least as is. so_many\n", "f(\"so\", \"many\");\n",
                           "// so\nint a;\n// many\n", "// It has so\n\nint many;\n"}) {
    INFO(text);
    CHECK(wording("hub/core/a.cpp", text) == "");
  }
  CHECK(wording("GLOSSARY.md", "not `nobody`, but a player\n") == "");
  CHECK(wording("tests/tidy/words.cpp", "\"nobody\"\n") == "");
  CHECK(wording("deploy/a.yaml", "# nobody\n") == "");
}

TEST_CASE("tidy: the baseline of words shrinks with the text") {
  const std::string text = "// nobody and somebody\n";
  CHECK(wording("hub/core/a.cpp", text, "2 hub/core/a.cpp\n") == "");
  says(wording("hub/core/a.cpp", text, "1 hub/core/a.cpp\n"), "has 2 words");
  says(wording("hub/core/a.cpp", text, "3 hub/core/a.cpp\n"), "correct it to '2 hub/core/a.cpp'");
  says(wording("hub/core/a.cpp", "// a\n", "3 hub/core/a.cpp\n"), "remove '3 hub/core/a.cpp'");
  says(wording("hub/core/a.cpp", "// a\n", "1 hub/core/b.cpp\n"), "row of no file");
  says(wording("hub/core/a.cpp", "// a\n", "1 hub/core/b.cpp\n"), "GAMEHUB_WRITE_BASELINE=1");
  CHECK(words_baseline({{"hub/core/a.cpp", text}, {"hub/core/b.cpp", ""}}) == "2 hub/core/a.cpp\n");
  CHECK(sum_of_baseline("2 hub/core/a.cpp\n3 b\n") == 5);
}

TEST_CASE("tidy: prose is what code_of leaves out") {
  CHECK(prose_of("a // b\nc") == "|    b\n|");
  CHECK(prose_of("f(\"a b\", 1);") == "|| a b | |||");
  CHECK(prose_of("#include \"a\"\n").find('a') == std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests::tidy
