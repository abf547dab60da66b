#include "hub/league/file_store.hpp"

#include "hub/journal/sqlite_journal.hpp"
#include "hub/league/arena.hpp"
#include "hub/league/file.hpp"
#include "hub/league/token.hpp"
#include "tests/journal/scene.hpp"
#include "tests/support/catch.hpp"

#include <atomic>
#include <fstream>
#include <future>

namespace gamehub::league {
namespace {

using namespace std::chrono_literals;
using gamehub::tests::folder;
using gamehub::tests::patience;

void wait_until_safe(store& s) {
  const auto done = std::make_shared<std::promise<void>>();
  s.when_safe([done] { done->set_value(); });
  REQUIRE(done->get_future().wait_for(tests::patience) == std::future_status::ready);
}

std::optional<std::string> owner(store& s, const std::string& token) {
  const auto said = std::make_shared<std::promise<std::optional<std::string>>>();
  s.find_owner(token, [said](const auto& found) { said->set_value(found); });
  auto answer = said->get_future();
  REQUIRE(answer.wait_for(tests::patience) == std::future_status::ready);
  return answer.get();
}

changes one_bot(std::uint64_t id) {
  changes out;
  bot_record b;
  b.id = bot_id{id};
  b.name = "bot " + std::to_string(id);
  out.bots.push_back(b);
  return out;
}

TEST_CASE(
    "file_store: durable changes are there after the next start, and so are unconfirmed ones") {
  const folder here;
  {
    const auto s = open_file_store({here / "a.db", false, {}, {}});
    s->write(one_bot(1));
    wait_until_safe(*s);
    CHECK(file(here / "a.db", file::access::read).bots().size() == 1);
    s->write(one_bot(2));
  }
  CHECK(open_file_store({here / "a.db", true, {}, {}})->load({}).bots.size() == 2);
}

TEST_CASE("file_store: what comes after it was closed is dropped") {
  const folder here;
  const auto s = open_file_store({here / "a.db", false, {}, {}});
  s->write(one_bot(1));
  s->close();
  s->write(one_bot(2));
  s->when_safe([] { FAIL("called back after the end"); });
  s->close();
  CHECK(file(here / "a.db", file::access::read).bots().size() == 1);
}

TEST_CASE("file_store: two hubs do not share a file") {
  const folder here;
  const auto s = open_file_store({here / "a.db", false, {}, {}});
  CHECK_THROWS_AS(open_file_store({here / "a.db", false, {}, {}}), journal::unusable_file);
}

TEST_CASE("file_store: a foreign file is refused with the remedy") {
  const folder here;
  std::ofstream{here / "letter.txt"} << std::string(10'000, 'a');
  CHECK_THROWS_WITH(open_file_store({here / "letter.txt", false, {}, {}}),
                    Catch::Matchers::Contains("The arena " + (here / "letter.txt").string()) &&
                        Catch::Matchers::Contains("is no arena") &&
                        Catch::Matchers::Contains("name another file"));
}

TEST_CASE("file_store: a token that is made or revoked while the hub runs is so at once") {
  const folder here;
  const auto s = open_file_store({here / "a.db", false, {}, {}});
  CHECK_FALSE(owner(*s, "t"));
  file tool{here / "a.db", file::access::change};
  tool.add_token({"ann", digest_of_token("t"), {}, {}});
  CHECK(owner(*s, "t") == "ann");
  tool.revoke_tokens("ann", {});
  CHECK_FALSE(owner(*s, "t"));
}

std::atomic<bool> disk_full{false};
int full_disk(const char* call) {
  return disk_full && std::string_view{call} == "step" ? journal::sqlite::codes::full : 0;
}

TEST_CASE("file_store: while the disk is full everything waits, and nothing is lost") {
  const folder here;
  const auto began = std::make_shared<std::promise<void>>();
  const auto ended = std::make_shared<std::promise<void>>();
  const auto log = [=](std::string_view why) { (why.empty() ? ended : began)->set_value(); };
  const auto s = open_file_store({here / "a.db", false, {}, log});
  journal::sqlite::inject_faults(full_disk);
  disk_full = true;
  std::atomic<bool> safe{false};
  s->write(one_bot(1));
  s->when_safe([&] { safe = true; });
  CHECK(began->get_future().wait_for(tests::patience) == std::future_status::ready);
  CHECK(s->trouble());
  CHECK_FALSE(safe);
  disk_full = false;
  CHECK(ended->get_future().wait_for(tests::patience) == std::future_status::ready);
  wait_until_safe(*s);
  CHECK(safe);
  CHECK_FALSE(s->trouble());
  journal::sqlite::inject_faults(nullptr);
  CHECK(file(here / "a.db", file::access::read).bots().size() == 1);
}

TEST_CASE("file_store: an arena begins with what the last one left") {
  const folder here;
  const auto play = [&](bool first) {
    const auto s = open_file_store({here / "a.db", false, {}, {}});
    arena a{*s, std::make_unique<base::seeded_entropy>(1), {{}, true}, base::wall_time{1h}};
    if (first) {
      for (const auto* name : {"dot", "dash"}) {
        const auto came = std::make_shared<std::promise<bot_record>>();
        a.register_bot(
            {name, "1", "nim", "http://h/"}, {"ann"}, base::wall_time{1h},
            [came](const registered& said) { came->set_value(std::get<bot_record>(said)); });
        auto here_now = came->get_future();
        REQUIRE(here_now.wait_for(tests::patience) == std::future_status::ready);
        a.on_online(here_now.get(), base::wall_time{1h});
      }
      wait_until_safe(*s);
      const auto due = a.next_matches(base::wall_time{1h}, 1);
      REQUIRE(due.size() == 1);
      a.game_opened(due[0].id, game_id{1}, base::wall_time{1h});
      a.game_ended(game_id{1}, {end_reason::rules, 0}, base::wall_time{1h});
    }
    CHECK(a.count().waiting == 1);
    CHECK(a.leaderboard("nim", 9).size() == 2);
    CHECK(a.expected().size() == (first ? 0 : 2));
    s->close();
  };
  play(true);
  play(false);
}

}  // namespace
}  // namespace gamehub::league
