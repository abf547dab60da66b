#include "hub/admin/league_arguments.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/catch.hpp"

#include <map>
#include <optional>

namespace gamehub::admin {
namespace {

using verb = arena_request::verb;
using output = arena_request::output;

std::variant<arena_request, config::early_exit> parsed(
    std::vector<std::string> words, std::map<std::string, std::string> variables = {}) {
  words.insert(words.begin(), "gamehub");
  std::vector<const char*> argv;
  for (const auto& each : words) argv.push_back(each.c_str());
  config::environment around;
  around.variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
  };
  around.protocols = gateways::protocols();
  return parse_arena(static_cast<int>(argv.size()), argv.data(), around);
}

arena_request asked(std::vector<std::string> words,
                    std::map<std::string, std::string> variables = {}) {
  const auto out = parsed(std::move(words), std::move(variables));
  if (const auto* message = std::get_if<config::early_exit>(&out)) FAIL(message->text);
  return std::get<arena_request>(out);
}

TEST_CASE("arena verbs: a token is made in the file that the settings name") {
  const auto one = asked({"token", "add", "ann", "--journal", "sqlite:/j/a.db"});
  CHECK(one.what == verb::token_add);
  CHECK(one.owner == "ann");
  CHECK(one.arena == "/j/a.db.arena");
  const auto other = asked({"token", "list", "--json"},
                           {{"GAMEHUB_ARENA", "/k/b"}, {"GAMEHUB_JOURNAL", "memory"}});
  CHECK(other.what == verb::token_list);
  CHECK(other.arena == "/k/b");
  CHECK(other.as == output::json);
  CHECK(asked({"token", "revoke", "ann", "--arena", "x"}).what == verb::token_revoke);
}

TEST_CASE("arena verbs: a run has its defaults, and every flag is used") {
  const auto plain = asked({"arena", "run"});
  CHECK(plain.what == verb::run);
  CHECK(plain.engine == "tictactoe");
  CHECK(plain.games == 2);
  CHECK(plain.bots.empty());
  CHECK(plain.patience == std::chrono::seconds{60});
  CHECK(plain.at.host == "127.0.0.1");
  CHECK(plain.at.port == 9464);
  const auto all = asked({"arena", "run", "--engine", "nim", "--games", "10", "--bots", "dot",
                          "dash [2]", "--gauntlet", "--patience", "5", "--detach", "--output",
                          "csv", "--admin-port", "1", "--admin-listen", "0.0.0.0"});
  CHECK(all.engine == "nim");
  CHECK(all.games == 10);
  CHECK(all.bots == std::vector<std::string>{"dot", "dash [2]"});
  CHECK(all.gauntlet);
  CHECK(all.detach);
  CHECK(all.as == output::csv);
  CHECK(all.at.port == 1);
  CHECK(all.at.host == "127.0.0.1");
  CHECK(asked({"arena", "show", "7"}).run == 7);
  CHECK(asked({"arena", "run", "--admin-token-file", "/t"}).at.token_file == "/t");
  CHECK(asked({"arena", "cancel", "7"}).what == verb::cancel);
  CHECK(asked({"arena", "ratings", "--recompute", "--arena", "x", "--journal", "sqlite:/j"})
            .journal == "/j");
}

TEST_CASE("arena verbs: a backup is of the file that the settings name") {
  const auto one = asked({"arena", "backup", "copy", "--journal", "sqlite:/j/a.db"});
  CHECK(one.what == verb::backup);
  CHECK(one.arena == "/j/a.db.arena");
  CHECK(one.copy == "copy");
}

TEST_CASE("arena verbs: a mistake is one sentence and code 2") {
  const std::vector<std::vector<std::string>> all{{"token"},
                                                  {"token", "add"},
                                                  {"token", "add", "ann", "bob", "--arena", "x"},
                                                  {"token", "list", "--journal", "memory"},
                                                  {"arena"},
                                                  {"arena", "play"},
                                                  {"arena", "backup"},
                                                  {"arena", "backup", "x", "--arena", "memory"},
                                                  {"arena", "run", "--games", "0"},
                                                  {"arena", "run", "--games", "many"},
                                                  {"arena", "run", "--output", "xml"},
                                                  {"arena", "run", "--admin-port", "off"},
                                                  {"arena", "show"},
                                                  {"arena", "show", "x"}};
  for (const auto& words : all) {
    const auto message = parsed(words);
    INFO(words.back());
    REQUIRE(std::holds_alternative<config::early_exit>(message));
    CHECK(std::get<config::early_exit>(message).exit_code == base::usage_error_exit_code);
    CHECK(std::get<config::early_exit>(message).text.find('\n') == std::string::npos);
  }
  const auto help = std::get<config::early_exit>(parsed({"arena", "run", "--help"}));
  CHECK(help.exit_code == 0);
  CHECK(help.text.find("--gauntlet") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::admin
