#include "hub/core/seat_filler.hpp"

#include "tests/support/catch.hpp"

#include <string>
#include <variant>
#include <vector>

using namespace gamehub;

namespace {

using kind = seat_filler::kind;
using fillers = std::vector<seat_filler>;

fillers good(const std::vector<std::string>& words) {
  auto read = read_fillers(words);
  REQUIRE(std::holds_alternative<fillers>(read));
  return std::get<fillers>(std::move(read));
}

std::string wrong(const std::vector<std::string>& words) {
  auto read = read_fillers(words);
  REQUIRE(std::holds_alternative<std::string>(read));
  return std::get<std::string>(std::move(read));
}

}  // namespace

TEST_CASE("seat fillers: a list has anyone, engines and bots") {
  const std::vector<std::string> words{"any", "engine", "engine:random", "bot:Dot, Dash"};
  const auto all = good(words);
  CHECK(
      all ==
      fillers{{kind::anyone}, {kind::engine}, {kind::engine, "random"}, {kind::bot, "Dot, Dash"}});
  for (std::size_t i = 0; i < words.size(); ++i) CHECK(to_string(all[i]) == words[i]);
  CHECK(good({}).empty());
  CHECK(count_filled(all) == 3);
}

TEST_CASE("seat fillers: an error says which entry is wrong and what to give") {
  for (const auto* word : {"", "Ann", "bot:", "Engine", "robot:x"}) {
    CAPTURE(word);
    CHECK(wrong({"any", word}) ==
          "entry 2 of opponents has to be any, engine, engine:LEVEL or bot:NAME; a person joins by "
          "the game_id or an invitation");
  }
  CHECK(wrong({"bot:Dot", "any", "bot:Dot"}) ==
        "entry 3 of opponents names a bot again: a bot has one seat of a game");
  CHECK(wrong(std::vector<std::string>(62, "any")) == "opponents has more than 61 entries");
}

TEST_CASE("seat fillers: the others take the seats without the own one in their order") {
  const seat_filler any, engine{kind::engine, "random"}, bot{kind::bot, "Dot"};
  CHECK(fillers_by_seat({engine, bot}, 0, 4) == fillers{any, engine, bot, any});
  CHECK(fillers_by_seat({engine, bot}, 1, 4) == fillers{engine, any, bot, any});
  CHECK(fillers_by_seat({any, engine}, 3, 4) == fillers{any, engine, any, any});
  CHECK(fillers_by_seat({}, 0, 4).empty());
  CHECK(fillers_by_seat({any, any}, 0, 4).empty());
  CHECK(is_for_anyone({any, engine}, 0));
  CHECK_FALSE(is_for_anyone({any, engine}, 1));
  CHECK(is_for_anyone({}, 5));
}
