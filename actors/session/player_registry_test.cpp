#include "actors/session/player_registry.hpp"

#include "actors/table/engine_opponent.hpp"
#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/deceptive_names.hpp"

#include <algorithm>
#include <set>
#include <string>

using namespace gamehub;
using actors::session::default_name;
using actors::session::player_registry;

namespace {

player_id player(std::uint64_t n) { return {n}; }

}  // namespace

TEST_CASE("player_registry: gives the wanted name, and a suffix to those who come later") {
  player_registry book;
  CHECK(book.enter(player(1), "dup", "s1") == "dup");
  CHECK(book.enter(player(2), "dup", "s2") == "dup-1");
  CHECK(book.enter(player(3), "dup", "s3") == "dup-2");
}

TEST_CASE("player_registry: skips a suffixed name that is in use") {
  player_registry book;
  CHECK(book.enter(player(1), "dup-1", "") == "dup-1");
  CHECK(book.enter(player(2), "dup", "") == "dup");
  CHECK(book.enter(player(3), "dup", "") == "dup-2");
  CHECK(book.enter(player(4), "dup-1", "") == "dup-1-1");
}

TEST_CASE("player_registry: a name costs the same beside 10,000 players who want it") {
  const std::string wanted = GENERATE(as<std::string>{}, "dup", "client-999", "Client");
  CAPTURE(wanted);
  constexpr std::uint64_t crowd = 10'000, look_ups_max = 16;
  player_registry book;
  std::set<std::string> names;
  std::uint64_t most = 0;
  const auto enter = [&](std::uint64_t who) {
    const auto before = book.look_ups();
    names.insert(book.enter(player(who), wanted, ""));
    most = std::max(most, book.look_ups() - before);
  };
  for (std::uint64_t who = 1; who <= crowd; ++who) enter(who);
  CHECK(names.size() == crowd);
  // The count of suffixes is lost with the player who has the name without one.
  book.leave(player(1));
  for (std::uint64_t who = crowd + 1; who <= crowd + 10; ++who) enter(who);
  CHECK(most <= look_ups_max);
}

TEST_CASE("player_registry: a player whose suffixes and number are taken gets the default name") {
  player_registry book;
  for (std::uint64_t i = 1; i <= 20; ++i)
    book.enter(player(100 + i), "dup-" + std::to_string(i), "");
  CHECK(book.enter(player(1), "dup", "") == "dup");
  CHECK(book.enter(player(15), "dup", "") == "client-15");
  CHECK(book.enter(player(1'000), "dup", "") == "dup-1000");
}

TEST_CASE("player_registry: no suffix makes a default name of another player") {
  player_registry book;
  CHECK(book.enter(player(7), "client", "") == "client");
  CHECK(book.enter(player(8), "client", "") == "client-8");
  CHECK(book.enter(player(1), "", "") == "client-1");
}

TEST_CASE("player_registry: returns why a name is not available") {
  player_registry book;
  book.enter(player(1), "ann", "s1");
  CHECK(book.why_not("ann") == refusal::name_taken);
  CHECK(book.why_not("client-1") == refusal::name_unacceptable);
  CHECK(book.why_not(actors::table::engine_opponent::name_of(engines::level::perfect)) ==
        refusal::name_unacceptable);
  CHECK(book.why_not("a\tb") == refusal::name_unacceptable);
  CHECK(book.why_not(std::string(limits::name_bytes_max + 1, 'a')) == refusal::name_unacceptable);
  CHECK_FALSE(book.why_not(std::string(limits::name_bytes_max, 'a')));
  CHECK_FALSE(book.why_not("anne"));
  CHECK_FALSE(book.why_not(""));
  book.leave(player(1));
  CHECK_FALSE(book.why_not("ann"));
}

TEST_CASE("player_registry: a name is free again when its player has left") {
  player_registry book;
  book.enter(player(1), "ann", "s1");
  book.leave(player(1));
  CHECK(book.enter(player(2), "ann", "s2") == "ann");
  // Its player keeps the name although another player leaves twice.
  book.leave(player(1));
  CHECK(book.enter(player(3), "ann", "s3") == "ann-1");
}

TEST_CASE("player_registry: who wants no name, or none that can be printed, gets the default one") {
  player_registry book;
  CHECK(actors::session::default_name(player(7)) == "client-7");
  CHECK(book.enter(player(1), "", "") == "client-1");
  CHECK(book.enter(player(2), std::string{"a\nb"}, "") == "client-2");
  CHECK(book.enter(player(3), std::string{"\x7f"}, "") == "client-3");
  CHECK(book.enter(player(4), std::string("a\0b", 3), "") == "client-4");
}

TEST_CASE("player_registry: refuses the default names of other players") {
  player_registry book;
  CHECK(book.enter(player(1), "client-2", "") == "client-2-1");
  CHECK(book.enter(player(2), "", "") == "client-2");
  CHECK(book.enter(player(3), "client-2", "") == "client-2-2");
  // These only look a little like one.
  CHECK(book.enter(player(4), "client-", "") == "client-");
  CHECK(book.enter(player(5), "client-2a", "") == "client-2a");
  CHECK(book.enter(player(6), "my-client-2", "") == "my-client-2");
}

TEST_CASE("player_registry: a name that looks like one in use is taken") {
  player_registry book;
  CHECK(book.enter(player(1), "Alice", "") == "Alice");
  for (const auto* name : {"alice", "ALICE", "AIice", "A1ice"})
    CHECK(book.why_not(name) == refusal::name_taken);
  CHECK(book.enter(player(2), "AIice", "") == "AIice-1");
  CHECK(book.enter(player(3), "alice", "") == "alice-2");
  CHECK(book.why_not("cIient-7") == refusal::name_unacceptable);
  book.leave(player(1));
  CHECK_FALSE(book.why_not("alice"));
}

TEST_CASE("player_registry: no name that deceives is given") {
  player_registry book;
  for (const auto& name : tests::deceptive_names) {
    CAPTURE(name);
    CHECK(book.why_not(name) == refusal::name_unacceptable);
    CHECK(book.enter(player(1), name, "") == "client-1");
    book.leave(player(1));
  }
}

TEST_CASE("player_registry: two restored players may look alike, and each leaves alone") {
  player_registry book;
  book.restore(player(1), "ann", "");
  book.restore(player(2), "Ann", "");
  book.leave(player(2));
  CHECK(book.why_not("ann") == refusal::name_taken);
  book.leave(player(1));
  CHECK_FALSE(book.why_not("ann"));
}

TEST_CASE("player_registry: cuts long names between characters, and keeps room for the suffix") {
  player_registry book;
  const auto max = limits::name_bytes_max;
  CHECK(book.enter(player(1), std::string(max, 'a'), "") == std::string(max, 'a'));
  const auto second = book.enter(player(2), std::string(max + 50, 'a'), "");
  CHECK(second.size() <= max);
  CHECK(second.ends_with("-1"));
  // 63 bytes and then a character of two: it does not fit whole.
  const auto name = book.enter(player(3), std::string(max - 1, 'b') + "\xc3\xa9", "");
  CHECK(name == std::string(max - 1, 'b'));
  CHECK(book.enter(player(4), std::string(max - 2, 'c') + "\xc3\xa9", "") ==
        std::string(max - 2, 'c') + "\xc3\xa9");
  // Only characters of four bytes: 16 of them fit.
  std::string faces;
  for (int i = 0; i < 20; ++i) faces += "\xf0\x9f\x98\x80";
  CHECK(book.enter(player(5), faces, "").size() == max);
}

TEST_CASE("player_registry: a secret identifies its player until it leaves, a name never does") {
  player_registry book;
  book.enter(player(1), "ann", "secret-1");
  book.enter(player(2), "bob", "secret-2");
  CHECK(book.find_digest("secret-1") == player(1));
  CHECK(book.find_digest("secret-2") == player(2));
  CHECK_FALSE(book.find_digest("ann").has_value());
  CHECK_FALSE(book.find_digest("").has_value());
  book.leave(player(1));
  CHECK_FALSE(book.find_digest("secret-1").has_value());
  CHECK(book.find_digest("secret-2") == player(2));
}

TEST_CASE("player_registry: a restored player keeps its secret when another one with it leaves") {
  player_registry book;
  book.enter(player(2), "ann", "secret");
  book.restore(player(1), "ann", "secret");
  book.leave(player(2));
  CHECK(book.find_digest("secret") == player(1));
  book.leave(player(1));
  CHECK_FALSE(book.find_digest("secret").has_value());
}

TEST_CASE("player_registry: a player without a secret is not found by an empty one") {
  player_registry book;
  book.enter(player(1), "ann", "");
  CHECK_FALSE(book.find_digest("").has_value());
  book.enter(player(2), "bob", "s");
  book.leave(player(1));
  CHECK(book.find_digest("s") == player(2));
}

TEST_CASE("player_registry: a thousand of one name all get different ones") {
  player_registry book;
  std::set<std::string> seen;
  for (std::uint64_t i = 1; i <= 1'000; ++i)
    CHECK(seen.insert(book.enter(player(i), i % 2 == 0 ? "dup" : "dup-1", "")).second);
}

TEST_CASE("player_registry: a new name is free for all but its player, the old one later") {
  player_registry book;
  base::instant now{};
  book.enter(player(1), "ann", "s1");
  book.rename(player(1), "bob", now);
  CHECK(book.find(player(1))->name == "bob");
  CHECK(book.find_digest("s1") == player(1));
  for (const auto* name : {"ann", "bob"}) {
    CHECK(book.why_not(name) == refusal::name_taken);
    CHECK_FALSE(book.why_not(name, player(1)));
  }
  // Its own name in another case.
  CHECK_FALSE(book.why_not("BOB", player(1)));
  book.rename(player(1), "BOB", now);
  now += limits::old_name_kept;
  book.expire(now);
  CHECK_FALSE(book.why_not("ann"));
  CHECK(book.why_not("bob") == refusal::name_taken);
  CHECK(book.find(player(1))->former.size() == 2);
  book.rename(player(1), "cleo", now);
  book.leave(player(1));
  for (const auto* name : {"ann", "bob", "cleo"}) CHECK_FALSE(book.why_not(name));
  book.expire(now + limits::old_name_kept);
}

TEST_CASE("player_registry: a name that another player got meanwhile stays with that player") {
  player_registry book;
  const base::instant now{};
  book.enter(player(1), "ann", "");
  book.rename(player(1), "bob", now);
  book.expire(now + limits::old_name_kept);
  book.enter(player(2), "ann", "");
  CHECK(book.why_not("ann", player(1)) == refusal::name_taken);
  book.leave(player(1));
  CHECK(book.why_not("ann") == refusal::name_taken);
}

TEST_CASE("player_registry: a name that a player of another hub has gives way to others") {
  player_registry book;
  book.enter(player(1), "dup", "s1");
  CHECK(book.enter_other(player(1), "dup", 1) == "dup-1");
  CHECK(book.find_digest("s1") == player(1));
  CHECK(book.find(player(1))->name == "dup-1");
  CHECK(book.enter_other(player(1), "dup", 2) == "dup-1");
  CHECK(book.enter_other(player(1), "dup", 3) == "client-1");
  CHECK_FALSE(book.why_not("dup-1"));
  // Suffixes of this hub go on.
  book.enter(player(2), "dup", "");
  CHECK(book.enter(player(30), "dup", "") == "dup-1");
  CHECK(book.enter_other(player(30), "dup", 1) == "dup-2");
  CHECK(book.enter_other(player(30), "dup", 2) == "dup-30");
  const std::string longest(64, 'x');
  book.enter(player(4), longest + longest, "");
  CHECK(book.enter_other(player(4), longest + longest, 1).size() <= 64);
}

TEST_CASE("player_registry: the keys of a player are of its reserved names, and of its secret") {
  using keys = std::vector<std::string>;
  player_registry book;
  const base::instant now{std::chrono::hours{1}};
  book.enter(player(1), "", "s1");
  CHECK(book.keys_of(player(1), now) == keys{player_registry::key_of_digest("s1")});
  CHECK(book.keys_of(player(2), now).empty());
  book.rename(player(1), "ann", now);
  auto expected = player_registry::keys_of("ann");
  expected.push_back(player_registry::key_of_digest("s1"));
  CHECK(book.keys_of(player(1), now) == expected);
  book.rename(player(1), "bob", now);
  CHECK(book.keys_of(player(1), now).size() > expected.size());
  CHECK(book.expire(now) == std::vector<player_id>{});
  const auto later = now + limits::old_name_kept;
  CHECK(book.expire(later).front() == player(1));
  expected = player_registry::keys_of("bob");
  expected.push_back(player_registry::key_of_digest("s1"));
  CHECK(book.keys_of(player(1), later) == expected);
  // Names that look alike have a key in common.
  const auto ann = player_registry::keys_of("ann"), like = player_registry::keys_of("ANN");
  CHECK(std::find_first_of(ann.begin(), ann.end(), like.begin(), like.end()) != ann.end());
}
