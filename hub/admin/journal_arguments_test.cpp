#include "hub/admin/journal_arguments.hpp"

#include "tests/support/catch.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::admin {
namespace {

using verb = archive_request::verb;
using variables = std::map<std::string, std::string>;

std::variant<archive_request, config::early_exit> parsed(std::vector<std::string> words,
                                                         const variables& environment = {
                                                             {"HOME", "/home/ann"}}) {
  config::environment around;
  around.variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional{found->second};
  };
  std::vector<const char*> argv{"gamehub"};
  for (const auto& each : words) argv.push_back(each.c_str());
  return parse_archive(static_cast<int>(argv.size()), argv.data(), around);
}

archive_request request(std::vector<std::string> words,
                        const variables& environment = {{"HOME", "/home/ann"}}) {
  const auto got = parsed(std::move(words), environment);
  if (const auto* message = std::get_if<config::early_exit>(&got)) FAIL(message->text);
  return std::get<archive_request>(got);
}

std::string mistake(std::vector<std::string> words,
                    const variables& environment = {{"HOME", "/home/ann"}}) {
  const auto got = parsed(std::move(words), environment);
  const auto* message = std::get_if<config::early_exit>(&got);
  if (message == nullptr) return "no mistake";
  CHECK(message->exit_code == 2);
  CHECK(message->text.find('\n') == std::string::npos);
  return message->text;
}

TEST_CASE("arguments: know the verbs and what each takes") {
  CHECK(request({"journal", "stats"}).what == verb::stats);
  CHECK_FALSE(request({"journal", "stats"}).json);
  CHECK(request({"journal", "stats", "--json"}).json);
  const auto all = request({"journal", "export"});
  CHECK(all.what == verb::export_);
  CHECK(all.games.empty());
  CHECK(all.file.empty());
  const auto some =
      request({"journal", "export", "17", "--format", "jsonl", "--output", "x.jsonl", "3", "17"});
  CHECK(some.games == std::vector<game_id>{{3}, {17}});
  CHECK(some.file == "x.jsonl");
  const auto copy = request({"journal", "backup", "copy.db"});
  CHECK(copy.what == verb::backup);
  CHECK(copy.file == "copy.db");
  CHECK(request({"journal", "forget", "--player", "9"}).player == player_id{9});
  CHECK(request({"journal", "forget", "--name", "ann"}).name == "ann");
  const auto checked = request({"verify", "--json", "4"});
  CHECK(checked.what == verb::verify);
  CHECK(checked.json);
  CHECK(checked.games == std::vector<game_id>{{4}});
}

TEST_CASE("arguments: find the plugins as serve does, where games are played again") {
  const variables some{{"HOME", "/home/ann"}, {"GAMEHUB_PLUGINS", "/some/plugins"}};
  CHECK(request({"verify"}).plugins.empty());
  CHECK(request({"verify"}, some).plugins == "/some/plugins");
  CHECK(request({"journal", "export", "--plugins", "mine"}, some).plugins == "mine");
  CHECK(request({"journal", "stats"}, some).plugins.empty());
  CHECK(mistake({"journal", "stats", "--plugins", "mine"}).find("--plugins") != std::string::npos);
}

TEST_CASE("arguments: find the journal as serve does") {
  CHECK(request({"verify"}).journal == "/home/ann/.local/state/gamehub/journal.db");
  CHECK(request({"verify"}, {{"XDG_STATE_HOME", "/state"}, {"HOME", "/home/ann"}}).journal ==
        "/state/gamehub/journal.db");
  CHECK(request({"verify", "--journal", "sqlite:a.db"}).journal == "a.db");
  CHECK(request({"journal", "stats", "--journal=sqlite:a.db"}).journal == "a.db");
  CHECK(request({"verify"}, {{"GAMEHUB_JOURNAL", "sqlite:/e.db"}}).journal == "/e.db");
  CHECK(request({"verify"}, {{"GAMEHUB_LOOPS", "many"}, {"HOME", "/"}}).journal ==
        "/.local/state/gamehub/journal.db");
}

TEST_CASE("arguments: answer each mistake with one sentence") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"journal"},
       "journal: missing subcommand (export, stats, backup or forget). Example: gamehub journal "
       "stats"},
      {{"journal", "export", "x"}, "\"x\" is no game: give its number, such as 17"},
      {{"journal", "export", "0"}, "\"0\" is no game: give its number, such as 17"},
      {{"journal", "export", "--format", "csv"}, "--format is \"csv\": give jsonl"},
      {{"journal", "export", "--loops", "3"},
       "\"--loops\" is not for gamehub journal export: leave it out, gamehub journal export --help "
       "lists the arguments"},
      {{"journal", "backup"}, "missing file of the copy. Example: gamehub journal backup copy.db"},
      {{"journal", "backup", "a", "b"},
       "\"b\" is not for gamehub journal backup: leave it out, gamehub journal backup --help lists "
       "the arguments"},
      {{"journal", "forget"}, "forget needs a player: give either --player N or --name TEXT"},
      {{"journal", "forget", "--player", "1", "--name", "x"},
       "forget needs a player: give either --player N or --name TEXT"},
      {{"journal", "forget", "--player", "ann"},
       "\"ann\" is no player: give its number, such as 17"},
      {{"verify", "--journal", "memory"},
       "the journal is set to memory, which a later program can't read: give a file with "
       "--journal sqlite:PATH"},
      {{"verify", "--journal", "disk"},
       "--journal is \"disk\": give memory, sqlite or sqlite:PATH"},
      {{"verify", "--config", "/nowhere"},
       "--config: the file \"/nowhere\" can't be read: give one that this account may read"},
  };
  for (const auto& [words, message] : cases) CHECK(mistake(words) == "gamehub: " + message + ".");
  CHECK(mistake({"journal", "mend"}).find("mend") != std::string::npos);
  CHECK(mistake({"verify"}, {}).find("neither XDG_STATE_HOME nor HOME") != std::string::npos);
}

TEST_CASE("arguments: have help for each verb") {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"journal", "--help"},
                                             {"journal", "export", "--help"},
                                             {"journal", "stats", "--help"},
                                             {"journal", "backup", "--help"},
                                             {"journal", "forget", "--help"},
                                             {"verify", "--help"}}) {
    const auto message = std::get<config::early_exit>(parsed(words));
    INFO(message.text);
    CHECK(message.exit_code == 0);
    CHECK(message.text.find("Usage: gamehub " + words.front()) != std::string::npos);
    if (words.back() == "--help" && words.size() + (words[0] == "verify") > 2)
      CHECK(message.text.find("GAMEHUB_JOURNAL") != std::string::npos);
  }
}

}  // namespace
}  // namespace gamehub::admin
