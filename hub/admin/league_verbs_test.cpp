#include "hub/admin/league_verbs.hpp"

#include "tests/support/verb_line.hpp"

namespace gamehub::admin {
namespace {

using league_verb = arena_request::verb;
using output = arena_request::output;

const tests::verb_line<arena_request> league_line{add_league_verbs};

arena_request asked(const tests::words& words, const tests::variables& variables = {}) {
  return league_line.request(words, variables);
}

TEST_CASE("arena verbs: a token is made in the file that the settings name") {
  const auto one = asked({"token", "add", "ann", "--journal", "sqlite:/j/a.db"});
  CHECK(one.what == league_verb::token_add);
  CHECK(one.owner == "ann");
  CHECK(one.arena == "/j/a.db.arena");
  const auto other = asked({"token", "list", "--json"},
                           {{"GAMEHUB_ARENA", "/k/b"}, {"GAMEHUB_JOURNAL", "memory"}});
  CHECK(other.what == league_verb::token_list);
  CHECK(other.arena == "/k/b");
  CHECK(other.as == output::json);
  CHECK(asked({"token", "revoke", "ann", "--arena", "x"}).what == league_verb::token_revoke);
}

TEST_CASE("arena verbs: a run has its defaults, and every flag is used") {
  const auto plain = asked({"arena", "run"});
  CHECK(plain.what == league_verb::run);
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
  CHECK(asked({"arena", "cancel", "7"}).what == league_verb::cancel);
  CHECK(asked({"arena", "ratings", "--recompute", "--arena", "x", "--journal", "sqlite:/j"})
            .journal == "/j");
}

TEST_CASE("arena verbs: a backup is of the file that the settings name") {
  const auto one = asked({"arena", "backup", "copy", "--journal", "sqlite:/j/a.db"});
  CHECK(one.what == league_verb::backup);
  CHECK(one.arena == "/j/a.db.arena");
  CHECK(one.copy == "copy");
}

TEST_CASE("arena verbs: bots are forgotten by name or by owner") {
  const auto one = asked({"arena", "forget", "dash [2]", "--admin-port", "1"});
  CHECK(one.what == league_verb::forget);
  CHECK(one.bot == "dash [2]");
  CHECK(one.at.port == 1);
  CHECK(asked({"arena", "forget", "--owner", "2001:db8::/64"}).owner == "2001:db8::/64");
  for (const auto& words :
       {tests::words{"arena", "forget"}, tests::words{"arena", "forget", "dot", "--owner", "ann"}})
    CHECK(league_line.mistake(words) == "gamehub: give either the name of a BOT or --owner OWNER.");
}

TEST_CASE("arena verbs: a mistake is one sentence and code 2") {
  const std::vector<std::vector<std::string>> all{{"token"},
                                                  {"token", "add"},
                                                  {"token", "add", ""},
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
    INFO(words.back());
    CHECK(league_line.mistake(words) != "no mistake");
  }
  CHECK(league_line.mistake({"token", "add"}) ==
        "gamehub: OWNER is missing: give the owner of the bots.");
  CHECK(league_line.mistake({"arena", "run", "--games", "0"}) ==
        "gamehub: --games is \"0\": give a whole number from 1.");
  CHECK(league_line.mistake({"arena", "run", "--output", "xml"}) ==
        "gamehub: --output is \"xml\": give table, csv or json.");
  CHECK(league_line.help({"arena", "run", "--help"}).find("--gauntlet") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::admin
