// Names over the turns wire.
#include "tests/support/catch.hpp"
#include "tests/support/deceptive_names.hpp"
#include "tests/system/api_client.hpp"
#include "tests/system/whole_game.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

std::string named(turns_client& client, const nlohmann::json& name) {
  client.say(nlohmann::json{{"type", "connect"}, {"name", name}, {"max_games", 0}}.dump());
  const auto said = client.next();
  return said.starts_with("name ") ? said.substr(5) : said;
}

TEST_CASE("names: the hub makes one where a client has none") {
  hub at;
  std::vector<std::string> seen;
  for (const auto& nothing : {nlohmann::json{}, nlohmann::json{7}, nlohmann::json{""}}) {
    turns_client client{at.turns()};
    const auto name = named(client, nothing);
    CAPTURE(name);
    CHECK(name.starts_with("client-"));
    CHECK(std::count(seen.begin(), seen.end(), name) == 0);
    seen.push_back(name);
  }
  turns_client absent{at.turns()};
  absent.say(R"({"type":"connect"})");
  CHECK(absent.next().starts_with("name client-"));
  check_others_play(at);
}

TEST_CASE("names: one that is in use gets a suffix, and is free again when its player went") {
  hub at;
  {
    turns_client first{at.turns()}, second{at.turns()}, third{at.turns()};
    CHECK(named(first, "dup") == "dup");
    CHECK(named(second, "dup") == "dup-1");
    CHECK(named(third, "dup") == "dup-2");
  }
  at.await_count("gamehub_sessions", {{"gateway", "turns"}}, 0);
  turns_client later{at.turns()};
  CHECK(named(later, "dup") == "dup");
  check_others_play(at);
}

TEST_CASE("names: one of 10,000 characters is cut, and still told from another") {
  hub at;
  turns_client first{at.turns()}, second{at.turns()}, wide{at.turns()};
  const std::string x(10'000, 'x');
  const auto one = named(first, x);
  const auto two = named(second, x);
  CHECK(one == std::string(64, 'x'));
  CHECK(two.size() <= 64);
  CHECK(two != one);
  CHECK(two.ends_with("-1"));
  // Never in the middle of a character: the answer would be no JSON.
  std::string umlauts = "x";
  for (int i = 0; i < 5'000; ++i) umlauts += "\xc3\xa4";
  CHECK(named(wide, umlauts) == umlauts.substr(0, 63));
  check_others_play(at);
}

TEST_CASE("names: a name that the hub may assign to another player is not given") {
  hub at;
  turns_client sly{at.turns()}, plain{at.turns()};
  CHECK(named(sly, "client-7") == "client-7-1");
  for (int i = 0; i < 8; ++i) {
    turns_client each{at.turns()};
    CHECK(named(each, nullptr) != "client-7-1");
  }
  CHECK(named(plain, "client-x") == "client-x");
  check_others_play(at);
}

TEST_CASE("names: what can't be printed is no name") {
  hub at;
  for (const auto* text : {"\n", "a\tb", "\x1b[31m", "\x7f"}) {
    turns_client client{at.turns()};
    const auto name = named(client, text);
    CAPTURE(name);
    CHECK(name.starts_with("client-"));
  }
  check_others_play(at);
}

TEST_CASE("names: one that deceives is taken as it came on no wire") {
  hub at;
  for (const auto& each : deceptive_names) {
    const std::string name{each};
    CAPTURE(name);
    turns_client client{at.turns()};
    CHECK(named(client, name) != name);
    api_client page{at.http()};
    const auto refused = page.request("POST", "/api/connect", "Content-Type: application/json\r\n",
                                      nlohmann::json{{"name", name}}.dump());
    CHECK(refused.status == 409);
  }
  check_others_play(at);
}

TEST_CASE("names: one that looks like another player's is taken") {
  hub at;
  turns_client ann{at.turns()}, other{at.turns()};
  CHECK(named(ann, "Alice") == "Alice");
  CHECK(named(other, "AIice") == "AIice-1");
  api_client page{at.http()};
  for (const auto* name : {"alice", "ALICE", "A1ice"}) {
    CAPTURE(name);
    const auto refused = page.post("/api/connect", "name=" + std::string{name});
    CHECK(refused.status == 409);
    CHECK(refused.json()["error"]["message"] ==
          "somebody else has that name, or one that looks like it");
  }
  check_others_play(at);
}

}  // namespace
}  // namespace gamehub::tests::system
