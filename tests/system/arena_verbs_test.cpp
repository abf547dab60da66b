// What an operator does with bots, by the real program: tokens, tournaments and ratings.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

run_result gamehub(std::vector<std::string> words) {
  words.insert(words.begin(), hub_program());
  return run({std::move(words), {}, ""});
}

run_result ask(const hub& at, std::vector<std::string> words) {
  words.insert(words.end(), {"--admin-port", std::to_string(at.admin())});
  return gamehub(std::move(words));
}

TEST_CASE("arena verbs: a token is shown once, listed by its digest, and revoked") {
  const temporary_folder folder;
  const std::vector<std::string> where{"--arena", folder.path() + "/deep/a.arena"};
  const auto token = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "token");
    words.insert(words.end(), where.begin(), where.end());
    return gamehub(std::move(words));
  };
  const auto made = token({"add", "ann"});
  CHECK(made.exit_code == 0);
  CHECK(made.output.starts_with("gamehub-"));
  CHECK(has(made.errors, "shown once"));
  CHECK(token({"add", "bob"}).output != made.output);
  const auto list = json::parse(token({"list", "--json"}).output)["tokens"];
  REQUIRE(list.size() == 2);
  CHECK(list[0]["owner"] == "ann");
  CHECK(list[0]["revoked"].is_null());
  CHECK_FALSE(has(list.dump(), made.output.substr(0, made.output.size() - 1)));
  CHECK(token({"revoke", "ann"}).output == "revoked 1 token\n");
  const auto again = token({"revoke", "ann"});
  CHECK(again.exit_code == 2);
  CHECK(has(again.errors, "no token of ann"));
  CHECK(has(token({"list"}).output, "revoked"));
}

TEST_CASE("arena verbs: without bots the verb says that no bot can play") {
  hub at;
  const auto list = ask(at, {"arena", "list"});
  CHECK(list.exit_code == 0);
  CHECK(has(list.output, "0 games run, 0 wait"));
  const auto refused = ask(at, {"arena", "run", "--engine", "tictactoe"});
  CHECK(refused.exit_code == 1);
  CHECK(has(refused.errors, "two bots"));
  CHECK(has(ask(at, {"arena", "run", "--bots", "dot", "dash"}).errors, "no bot \"dot\""));
  CHECK(ask(at, {"arena", "show", "1"}).exit_code == 1);
  CHECK(ask(at, {"arena", "cancel", "1"}).exit_code == 1);
  CHECK(at.get("/arena/runs").body == "{\"runs\":[]}\n");
  at.await_count("gamehub_arena_ok", {}, 1);
}

TEST_CASE("arena verbs: a hub keeps its bots beside its journal, for itself alone") {
  const temporary_folder folder;
  const auto journal = "sqlite:" + folder.path() + "/j.db";
  const auto file = folder.path() + "/j.db.arena";
  {
    hub at{{"--journal", journal}};
    CHECK(std::filesystem::exists(file));
    // Tokens can be made meanwhile; ratings can't be recomputed.
    CHECK(gamehub({"token", "add", "ann", "--journal", journal}).exit_code == 0);
    const auto refused = gamehub({"arena", "ratings", "--recompute", "--journal", journal});
    CHECK(refused.exit_code == 2);
    CHECK(has(refused.errors, "in use by another hub"));
    CHECK(gamehub({"arena", "ratings", "--journal", journal}).exit_code == 0);
    const auto second = gamehub({"serve", "--journal", "memory", "--arena", file, "--turns-port",
                                 "0", "--opcodes-port", "0", "--udp-port", "0", "--http-port", "0",
                                 "--admin-port", "0"});
    CHECK(second.exit_code == 2);
    CHECK(has(second.errors, "The arena " + file + " is in use"));
    // A copy can be made, but not over what the hub writes to.
    CHECK(gamehub({"arena", "backup", folder.path() + "/copy", "--journal", journal}).exit_code ==
          0);
    const auto over = gamehub({"arena", "backup", file, "--journal", journal});
    CHECK(over.exit_code == 2);
    CHECK(has(over.errors, "it is what is to be copied"));
  }
  CHECK(has(gamehub({"token", "list", "--arena", folder.path() + "/copy"}).output, "ann"));
  const auto anew =
      gamehub({"arena", "ratings", "--recompute", "--output", "json", "--journal", journal});
  CHECK(anew.exit_code == 0);
  CHECK(anew.output == "{\"ratings\":[]}\n");
  CHECK(has(anew.errors, "rated 0 games"));
}

}  // namespace
}  // namespace gamehub::tests::system
