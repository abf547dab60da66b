#include "hub/admin/journal_verbs.hpp"

#include "tests/support/verb_line.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

using journal_verb = archive_request::verb;
using tests::variables;
using tests::words;

const tests::verb_line<archive_request> journal_line{add_journal_verbs, {{"HOME", "/home/ann"}}};

archive_request request(const words& of) { return journal_line.request(of); }
archive_request request(const words& of, const variables& set) {
  return journal_line.request(of, set);
}
std::string mistake(const words& of) { return journal_line.mistake(of); }

TEST_CASE("journal verbs: know the verbs and what each takes") {
  CHECK(request({"journal", "stats"}).what == journal_verb::stats);
  CHECK_FALSE(request({"journal", "stats"}).json);
  CHECK(request({"journal", "stats", "--json"}).json);
  const auto all = request({"journal", "export"});
  CHECK(all.what == journal_verb::export_);
  CHECK(all.games.empty());
  CHECK(all.file.empty());
  const auto some =
      request({"journal", "export", "17", "--format", "jsonl", "--output", "x.jsonl", "3", "17"});
  CHECK(some.games == std::vector<game_id>{{3}, {17}});
  CHECK(some.file == "x.jsonl");
  const auto copy = request({"journal", "backup", "copy.db"});
  CHECK(copy.what == journal_verb::backup);
  CHECK(copy.file == "copy.db");
  CHECK(request({"journal", "forget", "--player", "9"}).player == player_id{9});
  CHECK(request({"journal", "forget", "--name", "ann"}).name == "ann");
  const auto checked = request({"verify", "--json", "4"});
  CHECK(checked.what == journal_verb::verify);
  CHECK(checked.json);
  CHECK(checked.games == std::vector<game_id>{{4}});
}

TEST_CASE("journal verbs: find the plugins as serve does, where games are played again") {
  const variables some{{"HOME", "/home/ann"}, {"GAMEHUB_PLUGINS", "/some/plugins"}};
  CHECK(request({"verify"}).plugins.empty());
  CHECK(request({"verify"}, some).plugins == "/some/plugins");
  CHECK(request({"journal", "export", "--plugins", "mine"}, some).plugins == "mine");
  CHECK(request({"journal", "stats"}, some).plugins.empty());
  CHECK(mistake({"journal", "stats", "--plugins", "mine"}).find("--plugins") != std::string::npos);
}

TEST_CASE("journal verbs: read a cluster's database instead of a file") {
  CHECK(request({"verify"}, {{"GAMEHUB_CLUSTER", "service=games"}}).cluster == "service=games");
  const auto stats = request({"journal", "stats", "--cluster", "dbname=games"});
  CHECK(stats.cluster == "dbname=games");
  CHECK(stats.journal == "the cluster's database");
  const auto from = request({"cluster", "import", "old.db", "--cluster", "dbname=games"});
  CHECK(from.what == journal_verb::import_);
  CHECK(from.file == "old.db");
  CHECK(mistake({"cluster", "import", "old.db"}).find("give --cluster") != std::string::npos);
  CHECK(request({"cluster", "upgrade", "--cluster", "dbname=games"}).what == journal_verb::upgrade);
  CHECK(mistake({"cluster", "upgrade"}).find("upgrade needs a database") != std::string::npos);
}

TEST_CASE("journal verbs: find the journal as serve does") {
  CHECK(request({"verify"}).journal == "/home/ann/.local/state/gamehub/journal.db");
  CHECK(request({"verify"}, {{"XDG_STATE_HOME", "/state"}, {"HOME", "/home/ann"}}).journal ==
        "/state/gamehub/journal.db");
  CHECK(request({"verify", "--journal", "sqlite:a.db"}).journal == "a.db");
  CHECK(request({"journal", "stats", "--journal=sqlite:a.db"}).journal == "a.db");
  CHECK(request({"verify"}, {{"GAMEHUB_JOURNAL", "sqlite:/e.db"}}).journal == "/e.db");
  CHECK(request({"verify"}, {{"GAMEHUB_LOOPS", "many"}, {"HOME", "/"}}).journal ==
        "/.local/state/gamehub/journal.db");
}

TEST_CASE("journal verbs: answer each mistake with one sentence") {
  const std::vector<std::pair<words, std::string>> cases{
      {{"journal"},
       "missing verb. Example: gamehub journal export; gamehub journal --help lists the verbs"},
      {{"journal", "mend"},
       "\"mend\" is not a verb of gamehub journal: give export, stats, backup or forget"},
      {{"journal", "export", "x"}, "GAME is \"x\": give the number of a game, such as 17"},
      {{"journal", "export", "0"}, "GAME is \"0\": give the number of a game, such as 17"},
      {{"journal", "export", "--format", "csv"}, "--format is \"csv\": give jsonl"},
      {{"journal", "export", "--loops", "3"},
       "\"--loops\" is not for gamehub journal export: leave it out, gamehub journal export --help "
       "lists the arguments"},
      {{"journal", "backup"}, "FILE is missing: give the path of a file"},
      {{"journal", "backup", ""}, "FILE is \"\": give the path of a file"},
      {{"journal", "backup", "a", "b"},
       "\"b\" is not for gamehub journal backup: leave it out, gamehub journal backup --help lists "
       "the arguments"},
      {{"journal", "forget"}, "forget needs a player: give either --player N or --name TEXT"},
      {{"journal", "forget", "--player", "1", "--name", "x"},
       "forget needs a player: give either --player N or --name TEXT"},
      {{"journal", "forget", "--player", "ann"},
       "--player is \"ann\": give the number of a player, such as 17"},
      {{"verify", "--journal", "memory"},
       "the journal is set to memory, which a later program can't read: give a file with "
       "--journal sqlite:PATH"},
      {{"verify", "--journal", "disk"},
       "--journal is \"disk\": give memory, sqlite or sqlite:PATH"},
      {{"verify", "--config", "/nowhere"},
       "--config: the file \"/nowhere\" can't be read: give one that this account may read"},
  };
  for (const auto& [each, message] : cases) CHECK(mistake(each) == "gamehub: " + message + ".");
  CHECK(journal_line.mistake({"verify"}, {}).find("neither XDG_STATE_HOME nor HOME") !=
        std::string::npos);
}

TEST_CASE("journal verbs: have help for each verb") {
  for (const words& each : std::vector<words>{{"journal", "--help"},
                                              {"journal", "export", "--help"},
                                              {"journal", "stats", "--help"},
                                              {"journal", "backup", "--help"},
                                              {"journal", "forget", "--help"},
                                              {"verify", "--help"}}) {
    const auto help = journal_line.help(each);
    INFO(help);
    CHECK(help.find("Usage: gamehub " + each.front()) != std::string::npos);
    if (each.size() + (each[0] == "verify") > 2)
      CHECK(help.find("GAMEHUB_JOURNAL") != std::string::npos);
  }
}

}  // namespace
}  // namespace gamehub::admin
