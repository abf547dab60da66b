#include "hub/league/registry.hpp"

#include "hub/league/store.hpp"
#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using reason = registration_refusal::reason;

struct registry_scene {
  base::seeded_entropy chance{7};
  registry bots{16};
  base::wall_time now{};

  std::variant<bot_record, registration_refusal> add(const std::string& name,
                                                     const bot_owner& owner = {"ann"},
                                                     const std::string& version = "1") {
    return bots.add({name, version, "tictactoe", "http://h/"}, owner, now, chance);
  }
  std::variant<bot_record, registration_refusal> add(const std::string& name, const char* owner) {
    return add(name, bot_owner{owner});
  }
  registration_refusal refusal(const std::string& name, const bot_owner& owner) {
    const auto said = add(name, owner);
    REQUIRE(std::holds_alternative<registration_refusal>(said));
    return std::get<registration_refusal>(said);
  }
  bot_record must_add(const std::string& name, const std::string& version = "1") {
    const auto said = add(name, bot_owner{"ann"}, version);
    REQUIRE(std::holds_alternative<bot_record>(said));
    return std::get<bot_record>(said);
  }
};

TEST_CASE("registry: a name belongs to its first owner") {
  registry_scene s;
  s.must_add("dot");
  const auto said = s.add("dot", "bob");
  REQUIRE(std::holds_alternative<registration_refusal>(said));
  CHECK(std::get<registration_refusal>(said).text == "The name \"dot\" belongs to another owner");
  CHECK(std::holds_alternative<bot_record>(s.add("dot", "ann")));
}

TEST_CASE("registry: a name that looks like another owner's belongs to it, too") {
  registry_scene s;
  s.must_add("Minimax");
  for (const auto* name : {"minimax", "MINIMAX", "Minirnax"}) {
    const auto said = s.add(name, "bob");
    REQUIRE(std::holds_alternative<registration_refusal>(said));
    CHECK(std::get<registration_refusal>(said).text ==
          "The name \"" + std::string{name} +
              "\" looks like \"Minimax\", which belongs to another owner");
    CHECK(s.bots.find(name) == nullptr);
  }
  CHECK(std::holds_alternative<bot_record>(s.add("minimax", "ann")));
  CHECK(std::holds_alternative<bot_record>(s.add("Maximin", "bob")));
}

TEST_CASE("registry: a bot that registers again keeps its identity") {
  registry_scene s;
  const auto first = s.must_add("dot");
  const auto second = s.must_add("dot", "2");
  CHECK(second.id == first.id);
  CHECK(second.secret == first.secret);
  CHECK(second.version == "2");
  CHECK(second.registration == first.registration + 1);
  CHECK(s.must_add("dash").secret != first.secret);
}

TEST_CASE("registry: a report about an earlier registration changes nothing") {
  registry_scene s;
  const auto first = s.must_add("dot");
  const auto second = s.must_add("dot");
  CHECK(s.bots.set_faulty(first) == nullptr);
  CHECK_FALSE(s.bots.add_failure(first, {first.id, {bot_error_code::transport, "gone"}, {}}));
  CHECK(s.bots.set_online(first) == nullptr);
  CHECK(s.bots.set_online(second) != nullptr);
  CHECK(s.bots.find("dot")->state == bot_state::online);
}

TEST_CASE("registry: a faulty bot returns only by registering") {
  registry_scene s;
  const auto b = s.must_add("dot");
  REQUIRE(s.bots.set_faulty(b) != nullptr);
  CHECK(s.bots.set_online(b) == nullptr);
  CHECK(s.bots.set_online(s.must_add("dot")) != nullptr);
}

TEST_CASE("registry: bots that were online are expected after a restart") {
  registry_scene s;
  const auto b = s.must_add("dot");
  s.bots.set_online(b);
  registry later;
  later.load({*s.bots.find(b.id)}, {}, {});
  CHECK(later.find("dot")->state == bot_state::resuming);
  CHECK(later.set_online(b) != nullptr);
}

TEST_CASE("registry: the latest failures of a bot are kept") {
  registry_scene s;
  const auto b = s.must_add("dot");
  for (std::uint64_t game = 1; game <= failures_kept + 1; ++game)
    s.bots.add_failure(b,
                       {b.id, {bot_error_code::out_of_bounds, "no such place", game_id{game}}, {}});
  CHECK(s.bots.failures_of(b.id).size() == failures_kept);
  CHECK_FALSE(s.bots.failed_in(b.id, game_id{1}));
  CHECK(s.bots.failed_in(b.id, game_id{2}) == bot_error_code::out_of_bounds);
}

TEST_CASE("registry: the numbers of online bots and of all bots are bounded") {
  registry_scene s;
  for (std::size_t n = 0; n < bots_online_max; ++n) s.must_add("bot " + std::to_string(n));
  CHECK(std::holds_alternative<registration_refusal>(s.add("one more")));
  // Whoever is there already may register anew, and a faulty one makes room.
  s.bots.set_faulty(s.must_add("bot 7"));
  s.must_add("one more");
  CHECK(std::holds_alternative<registration_refusal>(s.add("bot 7")));
}

TEST_CASE("registry: the names of one account are bounded, those of others are not affected") {
  registry_scene s;
  const bot_owner flood{"flood", "flood"}, honest{"honest", "honest"};
  for (int n = 0; n < 16; ++n)
    REQUIRE(std::holds_alternative<bot_record>(s.add("flood " + std::to_string(n), flood)));
  const auto no = s.refusal("one more", flood);
  CHECK(no.why == reason::owner_limit);
  CHECK(no.text ==
        "You have 16 bots here, and one owner may have 16: register one of their names again, or "
        "let the operator of the hub remove some (gamehub arena forget)");
  CHECK(std::holds_alternative<bot_record>(s.add("honest bot", honest)));
  CHECK(std::holds_alternative<bot_record>(s.add("flood 3", flood)));
  // Without a token the account is an address, whatever tokens were made up.
  for (int n = 0; n < 16; ++n) {
    const auto number = std::to_string(n);
    REQUIRE(std::holds_alternative<bot_record>(
        s.add("open " + number, bot_owner{"open:" + number, "192.0.2.7"})));
  }
  CHECK(s.refusal("open", {"open:x", "192.0.2.7"}).why == reason::owner_limit);
  CHECK(std::holds_alternative<bot_record>(s.add("open", bot_owner{"open:x", "192.0.2.8"})));
  CHECK(s.refusal("open", {"open:0", "192.0.2.8"}).why == reason::name_taken);
}

TEST_CASE("registry: many accounts that take all they may leave room for a new one (S15)") {
  registry_scene s;
  constexpr int accounts = 50;
  std::size_t taken = 0;
  for (int n = 0; n < 16; ++n) {
    for (int who = 0; who < accounts; ++who) {
      const bot_owner flood{"open:x", "192.0.2." + std::to_string(who)};
      const auto name = "bot " + std::to_string(who) + "." + std::to_string(n);
      if (std::holds_alternative<bot_record>(s.add(name, flood))) ++taken;
    }
  }
  CHECK(taken > bots_online_max * 3 / 4);
  CHECK(taken < bots_online_max);
  const bot_owner one_of_them{"open:x", "192.0.2.7"}, honest{"ann", "ann"};
  const auto no = s.refusal("more", one_of_them);
  CHECK(no.why == reason::online_full);
  CHECK(no.text ==
        "You have 9 bots online, and the hub, which is nearly full, has room for 9 of one owner");
  const auto share = (bots_online_max - taken) / online_share;
  CHECK(share > 4);
  for (std::size_t n = 0; n < share; ++n)
    CHECK(std::holds_alternative<bot_record>(s.add("honest " + std::to_string(n), honest)));
  // Who is there registers again, and a bot that fails makes room.
  CHECK(std::holds_alternative<bot_record>(s.add("bot 7.0", one_of_them)));
  for (int n = 0; n < 8; ++n) s.bots.set_faulty(*s.bots.find("bot 7." + std::to_string(n)));
  CHECK(std::holds_alternative<bot_record>(s.add("more", one_of_them)));
}

TEST_CASE("registry: the last places are for accounts without a bot that is online") {
  registry_scene s;
  for (std::size_t who = 0; who < bots_online_max; ++who) {
    const bot_owner each{"open:x", "account " + std::to_string(who)};
    const auto number = std::to_string(who);
    CHECK(std::holds_alternative<bot_record>(s.add("bot " + number, each)));
    if (bots_online_max - who <= online_share && who + 1 < bots_online_max) {
      CHECK(s.refusal("second " + number, each).why == reason::online_full);
    }
  }
  CHECK(s.refusal("one more", {"ann", "ann"}).text ==
        "The hub has no room for more bots that are online");
}

TEST_CASE("registry: an account that exceeds the limit brings no more bots online than that") {
  registry_scene s;
  std::vector<bot_record> before;
  for (std::uint64_t n = 1; n <= 20; ++n) {
    auto& b = before.emplace_back();
    b.id = bot_id{n};
    b.registration = 1;
    b.name = "bot " + std::to_string(n);
    b.owner = b.account = "ann";
    b.state = bot_state::faulty;
    b.has_answered = true;
  }
  s.bots.load(before, {}, bot_id{20});
  const bot_owner ann{"ann", "ann"};
  for (int n = 1; n <= 16; ++n)
    CHECK(std::holds_alternative<bot_record>(s.add("bot " + std::to_string(n), ann)));
  CHECK(s.refusal("bot 17", ann).why == reason::owner_limit);
  CHECK(std::holds_alternative<bot_record>(s.add("bot 16", ann)));
}

TEST_CASE("registry: a name whose bot never answered is free after a day, one that did is kept") {
  registry_scene s;
  const auto silent = s.must_add("silent");
  const auto away = s.must_add("away");
  const auto trying = s.must_add("trying");
  s.bots.set_online(away);
  s.bots.set_faulty(away);
  s.bots.set_faulty(silent);
  s.now += std::chrono::hours{1};
  CHECK(s.bots.unanswered(s.now).empty());
  s.now += std::chrono::hours{23};
  CHECK(s.bots.unanswered(s.now) == std::set{bot_id{silent.id}});
  CHECK(s.bots.find(trying.id)->state == bot_state::registered);
  // Who registers again keeps it for another day.
  s.must_add("silent");
  s.bots.set_faulty(*s.bots.find("silent"));
  CHECK(s.bots.unanswered(s.now).empty());
}

TEST_CASE("registry: the oldest silent bot of the account with most of them makes room") {
  registry_scene s;
  const auto add_silent = [&](const std::string& name, const bot_owner& owner) {
    s.now += std::chrono::seconds{1};
    const auto b = std::get<bot_record>(s.add(name, owner));
    s.bots.set_faulty(b);
    return b.id;
  };
  CHECK_FALSE(s.bots.replaceable());
  const auto honest = add_silent("honest", {"honest", "honest"});
  const auto first = add_silent("flood 1", {"flood", "flood"});
  CHECK(s.bots.replaceable() == honest);
  const auto second = add_silent("flood 2", {"flood", "flood"});
  CHECK(s.bots.replaceable() == first);
  s.bots.remove({first});
  CHECK(s.bots.replaceable() == honest);
  s.bots.remove({honest});
  CHECK(s.bots.replaceable() == second);
}

TEST_CASE("registry: a removed bot leaves its name, and no other bot gets its id") {
  registry_scene s;
  const auto first = s.must_add("Minimax");
  const auto other = s.must_add("minimax");
  s.bots.add_failure(other, {other.id, {bot_error_code::transport, "gone"}, {}});
  s.bots.remove({other.id});
  CHECK(s.bots.find("minimax") == nullptr);
  CHECK(s.bots.failures_of(other.id).empty());
  // The name still looks like the one that stays.
  CHECK(s.refusal("minimax", {"bob"}).why == reason::name_taken);
  s.bots.remove({first.id});
  CHECK(s.bots.set_online(first) == nullptr);
  const auto later = std::get<bot_record>(s.add("minimax", "bob"));
  CHECK(later.id > other.id);
  registry restarted;
  restarted.load({}, {}, later.id);
  const auto next = restarted.add({"dot", "1", "tictactoe", "http://h/"}, {"ann"}, {}, s.chance);
  CHECK(std::get<bot_record>(next).id > later.id);
}

}  // namespace
}  // namespace gamehub::league
