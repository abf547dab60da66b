// What an operator does with bots, by the real program: tokens, tournaments and ratings.
#include "tests/support/catch.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/bot_server.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/whole_game.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using nlohmann::json;

run_result gamehub(std::vector<std::string> words) {
  words.insert(words.begin(), hub_program());
  return run({std::move(words), {}, ""});
}

run_result ask_league(const hub& at, std::vector<std::string> words) {
  words.insert(words.end(), {"--admin-port", std::to_string(at.admin())});
  return gamehub(std::move(words));
}

std::string at_http(const hub& at, const std::string& target) {
  return api_client{at.http()}.get(target).body;
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
  const auto list = ask_league(at, {"arena", "list"});
  CHECK(list.exit_code == 0);
  CHECK(has(list.output, "0 games run, 0 wait"));
  const auto refused = ask_league(at, {"arena", "run", "--engine", "tictactoe"});
  CHECK(refused.exit_code == 1);
  CHECK(has(refused.errors, "two bots"));
  CHECK(has(ask_league(at, {"arena", "run", "--bots", "dot", "dash"}).errors, "no bot \"dot\""));
  CHECK(ask_league(at, {"arena", "show", "1"}).exit_code == 1);
  CHECK(ask_league(at, {"arena", "cancel", "1"}).exit_code == 1);
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
    const auto copied = gamehub({"arena", "backup", folder.path() + "/copy", "--journal", journal});
    CHECK(copied.exit_code == 0);
    CHECK(copied.output == "copied " + file + " to " + folder.path() + "/copy\n");
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

// A hub that keeps its bots in a folder, and what owners and the operator do with them.
struct league_scene {
  temporary_folder folder;
  std::string journal = "sqlite:" + folder.path() + "/j.db";
  bot_server bots;

  std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--journal", journal, "--bot-allow", "127.0.0.0/8"});
    return more;
  }
  std::string token_of(const std::string& owner) const {
    auto text = gamehub({"token", "add", owner, "--journal", journal}).output;
    text.pop_back();
    return text;
  }
  // The error, or nothing.
  std::string enter(hub& at, const std::string& token, const std::string& name,
                    const std::string& endpoint = "") {
    const auto answer = bots.enter(
        at.http(), "plain", name,
        {{"token", token}, {"rpcendpoint", endpoint.empty() ? bots.url("plain", name) : endpoint}});
    return answer["error"].is_null() ? "" : answer["error"].get<std::string>();
  }
};

void await_rest(hub& at, double online) {
  at.await_count("gamehub_bots_online", {}, online);
  at.await_count("gamehub_arena_games", {}, 0);
}

TEST_CASE(
    "arena verbs: beside an owner at its limit others register, and forgotten bots free their "
    "names") {
  league_scene s;
  std::string honest, flood;
  {
    hub at{s.flags()};
    honest = s.token_of("honest");
    flood = s.token_of("flood");
    const auto flooded = [&](int n) {
      const auto number = std::to_string(n);
      return s.enter(at, flood, "flood" + number, "http://127.0.0.1:1/" + number);
    };
    for (int n = 0; n < 16; ++n) CHECK(flooded(n).empty());
    CHECK(flooded(16).starts_with("You have 16 bots here, and one owner may have 16"));
    at.await_count("gamehub_bot_registrations_total", {{"result", "owner-limit"}}, 1);
    CHECK(s.enter(at, honest, "Ann").empty());
    CHECK(s.enter(at, honest, "Bob").empty());
    CHECK(s.enter(at, honest, "flood3").find("belongs to another owner") != std::string::npos);
    at.await_count("gamehub_arena_ended_total", {}, 2);

    const auto revoked = gamehub({"token", "revoke", "flood", "--journal", s.journal});
    CHECK(revoked.output == "revoked 1 token\n");
    CHECK(has(revoked.errors, "16 bots of flood left"));
    CHECK(has(revoked.errors, "gamehub arena forget --owner flood"));
    CHECK(s.enter(at, honest, "flood3").find("belongs to another owner") != std::string::npos);
    const auto gone = ask_league(at, {"arena", "forget", "--owner", "flood"});
    CHECK(gone.exit_code == 0);
    CHECK(has(gone.output, "forgot flood3\n"));
    CHECK_FALSE(has(ask_league(at, {"arena", "list"}).output, "flood"));
    CHECK(s.enter(at, honest, "flood3").empty());

    CHECK(has(at_http(at, "/api/leaderboard?engine=tictactoe"), "\"Bob\""));
    CHECK(ask_league(at, {"arena", "forget", "Bob"}).output == "forgot Bob\n");
    CHECK_FALSE(has(at_http(at, "/api/leaderboard?engine=tictactoe"), "\"Bob\""));
    await_rest(at, 2);
    const auto again = ask_league(at, {"arena", "forget", "Bob"});
    CHECK(again.exit_code == 2);
    CHECK(again.errors ==
          "gamehub: there is no bot \"Bob\": gamehub arena list prints all bots.\n");
    CHECK(ask_league(at, {"arena", "forget", "--owner", "flood"}).exit_code == 2);
    CHECK(ask_league(at, {"arena", "forget"}).exit_code == 2);
  }
  const auto history = gamehub({"journal", "export", "--journal", s.journal});
  CHECK(has(history.output, "Bob"));
  hub at{s.flags()};
  const auto list = ask_league(at, {"arena", "list"}).output;
  CHECK(has(list, "Ann"));
  CHECK_FALSE(has(list, "Bob"));
  CHECK(s.enter(at, s.token_of("carl"), "Bob").empty());
  CHECK(s.enter(at, s.token_of("carl"), "flood5").empty());
  await_rest(at, 4);
}

TEST_CASE("arena verbs: an owner with more bots than calls at once has all of them play") {
  league_scene s;
  hub at{s.flags({"--bot-names-per-owner-max", "64"})};
  const auto token = s.token_of("ann");
  constexpr int count = 18;
  for (int n = 0; n < count; ++n) CHECK(s.enter(at, token, "bot" + std::to_string(n)).empty());
  // Each game is over for two bots. All calls are read, so that the bots can write them.
  for (int over = 0; over < 2 * count * (count - 1);) {
    const auto call = s.bots.await("a call", [](const auto&) { return true; });
    over += call.value("method", "").ends_with("Complete") ? 1 : 0;
  }
  await_rest(at, count);
  CHECK(at.count("gamehub_arena_ended_total") == count * (count - 1));
  CHECK(at.count("gamehub_bot_faults_total") == 0);
}

TEST_CASE(
    "arena verbs: calls to silent bots of one owner wait for each other, not those of others") {
  league_scene s;
  hub at{s.flags({"--bot-names-per-owner-max", "64", "--bot-move-seconds", "60"})};
  const auto token = s.token_of("flood");
  for (int n = 0; n < 17; ++n) {
    const auto name = "flood" + std::to_string(n);
    CHECK(s.enter(at, token, name, s.bots.url("mute", name)).empty());
  }
  at.await("a call waits", [&] { return at.count("gamehub_bot_calls_delayed_total") > 0; });
  CHECK(s.enter(at, s.token_of("honest"), "Ann").empty());
  at.await_count("gamehub_bots_online", {}, 1);
  CHECK(at.count("gamehub_bot_calls_total", {{"result", "late"}}) == 0);
}

TEST_CASE("arena verbs: a forgotten bot leaves its games, and its opponent wins") {
  league_scene s;
  const auto token = s.folder.write("token", "the-word-of-the-operator\n");
  hub at{s.flags({"--open-registration", "--admin-token-file", token})};
  const auto held = s.bots.enter(at.http(), "held", "Slow");
  REQUIRE(held["error"].is_null());
  at.await_count("gamehub_bots_online", {}, 1);
  api_player person{at.http(), "person"};
  REQUIRE(person.play("&opponent=bot:Slow").contains("game_id"));
  REQUIRE(person.move(4).status == 200);
  s.bots.await_call("Slow", "TicTacToe.NextMove");
  const auto refused = ask_league(at, {"arena", "forget", "Slow"});
  CHECK(refused.exit_code == 2);
  CHECK(has(refused.errors, "the operator's token is needed"));
  const auto gone = ask_league(at, {"arena", "forget", "Slow", "--admin-token-file", token});
  CHECK(gone.exit_code == 0);
  at.await_count("gamehub_games_finished_total", {{"reason", "left"}}, 1);
  at.await_count("gamehub_bots_online", {}, 0);
  s.bots.let_move("Slow");
  // It may register again at once, with another identity.
  REQUIRE(s.bots.enter(at.http(), "plain", "Slow")["error"].is_null());
  at.await_count("gamehub_bots_online", {}, 1);
}

}  // namespace
}  // namespace gamehub::tests::system
