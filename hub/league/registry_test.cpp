#include "hub/league/registry.hpp"

#include "hub/league/store.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

struct scene {
  base::seeded_entropy chance{7};
  registry bots;

  std::variant<bot_record, std::string> add(const std::string& name,
                                            const std::string& owner = "ann",
                                            const std::string& version = "1") {
    return bots.add({name, version, "tictactoe", "http://h/"}, owner, {}, chance);
  }
  bot_record must_add(const std::string& name, const std::string& version = "1") {
    const auto said = add(name, "ann", version);
    REQUIRE(std::holds_alternative<bot_record>(said));
    return std::get<bot_record>(said);
  }
};

TEST_CASE("registry: a name belongs to its first owner") {
  scene s;
  s.must_add("dot");
  const auto said = s.add("dot", "bob");
  REQUIRE(std::holds_alternative<std::string>(said));
  CHECK(std::get<std::string>(said) == "The name \"dot\" belongs to another owner");
  CHECK(std::holds_alternative<bot_record>(s.add("dot", "ann")));
}

TEST_CASE("registry: a name that looks like another owner's belongs to it, too") {
  scene s;
  s.must_add("Minimax");
  for (const auto* name : {"minimax", "MINIMAX", "Minirnax"}) {
    const auto said = s.add(name, "bob");
    REQUIRE(std::holds_alternative<std::string>(said));
    CHECK(std::get<std::string>(said) ==
          "The name \"" + std::string{name} +
              "\" looks like \"Minimax\", which belongs to another owner");
    CHECK(s.bots.find(name) == nullptr);
  }
  CHECK(std::holds_alternative<bot_record>(s.add("minimax", "ann")));
  CHECK(std::holds_alternative<bot_record>(s.add("Maximin", "bob")));
}

TEST_CASE("registry: a bot that registers again keeps its identity") {
  scene s;
  const auto first = s.must_add("dot");
  const auto second = s.must_add("dot", "2");
  CHECK(second.id == first.id);
  CHECK(second.secret == first.secret);
  CHECK(second.version == "2");
  CHECK(second.registration == first.registration + 1);
  CHECK(s.must_add("dash").secret != first.secret);
}

TEST_CASE("registry: a report about an earlier registration changes nothing") {
  scene s;
  const auto first = s.must_add("dot");
  const auto second = s.must_add("dot");
  CHECK(s.bots.set_faulty(first) == nullptr);
  CHECK_FALSE(s.bots.add_failure(first, {first.id, {bot_error_code::transport, "gone"}, {}}));
  CHECK(s.bots.set_online(first) == nullptr);
  CHECK(s.bots.set_online(second) != nullptr);
  CHECK(s.bots.find("dot")->state == bot_state::online);
}

TEST_CASE("registry: a faulty bot returns only by registering") {
  scene s;
  const auto b = s.must_add("dot");
  REQUIRE(s.bots.set_faulty(b) != nullptr);
  CHECK(s.bots.set_online(b) == nullptr);
  CHECK(s.bots.set_online(s.must_add("dot")) != nullptr);
}

TEST_CASE("registry: bots that were online are expected after a restart") {
  scene s;
  const auto b = s.must_add("dot");
  s.bots.set_online(b);
  registry later;
  later.load({*s.bots.find(b.id)}, {});
  CHECK(later.find("dot")->state == bot_state::resuming);
  CHECK(later.set_online(b) != nullptr);
}

TEST_CASE("registry: the latest failures of a bot are kept") {
  scene s;
  const auto b = s.must_add("dot");
  for (std::uint64_t game = 1; game <= failures_kept + 1; ++game)
    s.bots.add_failure(b,
                       {b.id, {bot_error_code::out_of_bounds, "no such place", game_id{game}}, {}});
  CHECK(s.bots.failures_of(b.id).size() == failures_kept);
  CHECK_FALSE(s.bots.failed_in(b.id, game_id{1}));
  CHECK(s.bots.failed_in(b.id, game_id{2}) == bot_error_code::out_of_bounds);
}

TEST_CASE("registry: the numbers of online bots and of all bots are bounded") {
  scene s;
  for (std::size_t n = 0; n < bots_online_max; ++n) s.must_add("bot " + std::to_string(n));
  CHECK(std::holds_alternative<std::string>(s.add("one more")));
  // Whoever is there already may register anew, and a faulty one makes room.
  s.bots.set_faulty(s.must_add("bot 7"));
  s.must_add("one more");
  CHECK(std::holds_alternative<std::string>(s.add("bot 7")));
}

}  // namespace
}  // namespace gamehub::league
