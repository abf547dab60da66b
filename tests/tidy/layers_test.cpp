#include "tests/tidy/layers.hpp"

#include "tests/support/catch.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/samples.hpp"

#include <string>
#include <vector>

namespace gamehub::tests::tidy {
namespace {

TEST_CASE("tidy: the vocabulary includes hub/base and the standard library only") {
  CHECK(including("hub/core/a.hpp", "<vector>") == "");
  CHECK(including("hub/core/a.hpp", "\"hub/core/ids.hpp\"") == "");
  CHECK(including("hub/core/a.hpp", "\"hub/base/text.hpp\"") == "");
  for (const auto* header :
       {"<nlohmann/json.hpp>", "<boost/asio.hpp>", "<unistd.h>", "<caf/all.hpp>",
        "\"engines/plugin.hpp\"", "\"hub/journal/journal.hpp\"", "\"tests/support/catch.hpp\""})
    says(including("hub/core/a.hpp", header), "may not include");
  says(including("hub/base/a.hpp", "\"hub/core/ids.hpp\""), "base is functions without domain");
}

TEST_CASE("tidy: an engine stands alone") {
  CHECK(including("engines/nim/nim.cpp", "\"engines/plugin.hpp\"") == "");
  CHECK(including("engines/nim/nim.cpp", "\"engines/nim/heaps.hpp\"") == "");
  CHECK(including("engines/nim/nim.cpp", "<cstdint>") == "");
  for (const auto* header : {"\"engines/chess/chess.hpp\"", "\"engines/host/engine.hpp\"",
                             "\"hub/core/ids.hpp\"", "<dlfcn.h>"})
    says(including("engines/nim/nim.cpp", header), "an engine stands alone");
  says(including("engines/plugin.hpp", "\"engines/host/engine.hpp\""), "nothing of the hub");
  says(including("engines/plugin.hpp", "<dlfcn.h>"), "std only");
}

TEST_CASE("tidy: the folders of the engine host have rows, not those of games") {
  CHECK(including("engines/host/loader.cpp", "<dlfcn.h>") == "");
  CHECK(including("engines/host/loader.cpp", "\"engines/abi.h\"") == "");
  says(including("engines/host/loader.cpp", "\"engines/process/worker.hpp\""), "may not include");
  says(including("engines/host/loader.cpp", "\"hub/base/text.hpp\""), "may not include");
  CHECK(including("engines/process/worker.cpp", "\"engines/host/engine.hpp\"") == "");
  says(including("engines/contract/suite.cpp", "<unistd.h>"), "the conformance suite is pure");
  CHECK(including("engines/check/check.cpp", "\"engines/contract/suite.hpp\"") == "");
  CHECK(including("engines/check/check.cpp", "\"hub/base/child_process.hpp\"") == "");
  says(including("engines/check/check.cpp", "\"hub/config/settings.hpp\""), "may not include");
}

TEST_CASE("tidy: gateways and actors never include each other") {
  says(including("gateways/turns/turns.cpp", "\"actors/session/session.hpp\""), "may not include");
  says(including("gateways/net/stream_connection.cpp", "\"actors/runtime/loop.hpp\""),
       "may not include");
  says(including("actors/session/session.cpp", "\"gateways/codec.hpp\""), "may not include");
}

TEST_CASE("tidy: a codec includes no other codec and no socket, make_listener includes net") {
  CHECK(including("gateways/turns/turns.cpp", "\"gateways/codec.hpp\"") == "");
  CHECK(including("gateways/turns/turns.cpp", "\"hub/core/intent.hpp\"") == "");
  CHECK(including("gateways/turns/turns.cpp", "\"hub/base/json.hpp\"") == "");
  CHECK(including("gateways/turns/turns.cpp", "\"gateways/turns/wording.hpp\"") == "");
  for (const auto* header : {"\"gateways/ws/ws.hpp\"", "\"gateways/net/stream_connection.hpp\"",
                             "<nlohmann/json.hpp>", "<boost/asio/post.hpp>"})
    says(including("gateways/turns/turns.cpp", header), "may not include");
  CHECK(including("gateways/turns/make_listener.cpp", "\"gateways/net/listener.hpp\"") == "");
  says(including("gateways/turns/make_listener.cpp", "\"gateways/ws/ws.hpp\""), "may not include");
  CHECK(including("gateways/bots/caller.cpp", "\"gateways/http/client.hpp\"") == "");
  says(including("gateways/bots/caller.cpp", "\"gateways/http/page/page.hpp\""), "may not include");
  says(including("gateways/http/page.cpp", "\"gateways/bots/caller.hpp\""), "no other gateway");
}

TEST_CASE("tidy: actors use each other in one order") {
  const std::vector<std::pair<std::string, std::string>> allowed{
      {"game", "spectate"}, {"lobby", "game"},    {"lobby", "session"}, {"system", "lobby"},
      {"game", "runtime"},  {"runtime", "table"}, {"session", "table"}};
  for (const auto& [user, used] : allowed) {
    INFO(user << " -> " << used);
    CHECK(including("actors/" + user + "/a.cpp", "\"actors/" + used + "/a.hpp\"") == "");
    says(including("actors/" + used + "/a.cpp", "\"actors/" + user + "/a.hpp\""),
         "may not include");
  }
  says(including("actors/session/a.cpp", "\"actors/game/a.hpp\""), "may not include");
}

TEST_CASE("tidy: each library has its folders") {
  CHECK(including("actors/runtime/loop.cpp", "<caf/all.hpp>") == "");
  says(including("actors/game/game.cpp", "<caf/all.hpp>"), "belongs to actors/runtime");
  CHECK(including("actors/runtime/loop_asio.cpp", "<boost/asio/post.hpp>") == "");
  says(including("actors/runtime/loop.cpp", "<boost/asio/post.hpp>"), "belongs to gateways/net");
  CHECK(including("gateways/http/server.cpp", "<boost/beast/core.hpp>") == "");
  says(including("gateways/net/stream_connection.cpp", "<boost/beast/core.hpp>"),
       "may not include");
  says(including("hub/server/hub.cpp", "<boost/optional.hpp>"), "use the standard library");
  CHECK(including("hub/journal/sqlite.cpp", "<sqlite3.h>") == "");
  says(including("actors/game/game.cpp", "<sqlite3.h>"), "use the journal");
  says(including("hub/core/ids_test.cpp", "<catch2/catch.hpp>"), "tests/support/catch.hpp");
  CHECK(including("tests/support/catch.hpp", "<catch2/catch.hpp>") == "");
}

TEST_CASE("tidy: some libraries stay out of headers") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"hub/base/json", "<nlohmann/json.hpp>"},
      {"hub/base/log", "<spdlog/logger.h>"},
      {"hub/config/settings", "<CLI/CLI.hpp>"},
      {"metrics/metrics", "<prometheus/registry.h>"}};
  for (const auto& [unit, header] : cases) {
    CHECK(including(unit + ".cpp", header) == "");
    says(including(unit + ".hpp", header), "only .cpp files of this folder");
  }
}

TEST_CASE("tidy: tools use each other only in their program") {
  CHECK(including("tools/main.cpp", "\"tools/bench/verb.hpp\"") == "");
  CHECK(including("tools/bench/load.cpp", "\"gateways/http/client.hpp\"") == "");
  says(including("tools/bench/load.cpp", "\"tools/udp_lab/lab.hpp\""), "no other tool");
  says(including("tools/bench/load.cpp", "\"hub/server/hub.hpp\""), "may not include");
  says(including("hub/server/main.cpp", "\"tools/bench/verb.hpp\""), "may not include");
}

TEST_CASE("tidy: a unit's test may use what tests share") {
  CHECK(including("hub/core/ids_test.cpp", "\"tests/support/catch.hpp\"") == "");
  CHECK(including("engines/nim/nim_test.cpp", "\"tests/contract/engine_contract.hpp\"") == "");
  says(including("hub/core/ids.cpp", "\"tests/support/catch.hpp\""), "may not include");
}

TEST_CASE("tidy: a source in no layer is refused") {
  says(including("misc/a.cpp", "<vector>"), "is in no layer");
  says(including("hub/app/a.cpp", "<vector>"), "is in no layer");
}

TEST_CASE("tidy: an include that is spelled unusually is still seen") {
  says(including("hub/core/a.hpp", "  <caf/all.hpp>  // really"), "may not include");
  says(told_of("hub/core/a.hpp", "  #  include <caf/all.hpp>\n"), "may not include");
  CHECK(told_of("hub/core/a.hpp", "// #include <caf/all.hpp>\n") == "");
}

std::string in_namespace(const std::string& path, const std::string& text) {
  return told(check_namespaces({path, text}));
}

TEST_CASE("tidy: a file is in the namespace of its folder") {
  CHECK(namespace_of("hub/core") == "gamehub");
  CHECK(namespace_of("hub/journal") == "gamehub::journal");
  CHECK(namespace_of("actors/lobby") == "gamehub::actors::lobby");
  CHECK(namespace_of("metrics") == "gamehub::metrics");
  CHECK(in_namespace("hub/core/a.hpp", "namespace gamehub {\nint a;\n}\n") == "");
  CHECK(in_namespace("hub/core/a.hpp", "namespace gamehub::limits {\nint a;\n}\n") == "");
  CHECK(in_namespace("engines/json.hpp", "namespace gamehub::engines::json {\nint a;\n}\n") == "");
  CHECK(in_namespace("actors/lobby/a.cpp", "namespace gamehub::actors::lobby {}\n") == "");
  CHECK(in_namespace("actors/lobby/a.cpp",
                     "namespace gamehub::actors {\nnamespace lobby {\nint a;\n}\n}\n") != "");
  CHECK(in_namespace("gateways/udp/udp_limits.hpp", "namespace gamehub::limits {}\n") == "");
  for (const auto* wrong : {"namespace gamehub::actors {}\n", "namespace gamehub {}\n", "int a;\n",
                            "namespace {\nint a;\n}\n", "namespace gamehub::actors::lobbys {}\n"})
    says(in_namespace("actors/lobby/a.cpp", wrong), "is not in namespace gamehub::actors::lobby");
  says(in_namespace("hub/core/a.cpp", "namespace gamehub::journal {}\n"), "is not in namespace");
}

TEST_CASE("tidy: main.cpp, tests, C headers and lists of includes need no namespace") {
  CHECK(in_namespace("hub/server/main.cpp", "int main() {}\n") == "");
  CHECK(in_namespace("tools/main.cpp", "int main() {}\n") == "");
  CHECK(in_namespace("hub/core/ids_test.cpp", "int a;\n") == "");
  CHECK(in_namespace("tests/support/a.cpp", "int a;\n") == "");
  CHECK(in_namespace("engines/abi.h", "int a;\n") == "");
  CHECK(in_namespace("gateways/net/asio.cpp", "// Why.\n#include <a>\n#define B \\\n  c\n") == "");
}

TEST_CASE("tidy: a declaration in a foreign namespace counts as an include") {
  const std::string own = "namespace gamehub::actors::game {}\n";
  CHECK(in_namespace("actors/game/a.hpp", "namespace gamehub::journal { class log; }\n" + own) ==
        "");
  says(in_namespace("actors/game/a.hpp", "namespace gamehub::actors::lobby { class b; }\n" + own),
       "the namespace of actors/lobby");
  says(in_namespace("actors/game/a.hpp", "namespace caf { class actor; }\n" + own),
       "belongs to actors/runtime");
  says(in_namespace("actors/game/a.hpp", "namespace elsewhere { class actor; }\n" + own),
       "are in gamehub");
  CHECK(in_namespace("actors/game/a.hpp", "namespace std { class hash; }\n" + own) == "");
  CHECK(in_namespace("actors/game/a.cpp", "namespace fs = std::filesystem;\n" + own) == "");
  // A header may declare what only the sources of its folder may include.
  CHECK(in_namespace("metrics/a.hpp",
                     "namespace prometheus { class registry; }\nnamespace gamehub::metrics {}\n") ==
        "");
}

}  // namespace
}  // namespace gamehub::tests::tidy
