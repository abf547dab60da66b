#include "engines/dice.hpp"
#include "engines/host/engine.hpp"
#include "tests/contract/engine_contract.hpp"
#include "tests/support/catch.hpp"

#include <bit>
#include <string>
#include <vector>

namespace gamehub::engines::oh_hell {
namespace {

using words = std::vector<const char*>;

host::engine rules() { return tests::built_in("oh-hell"); }

host::match start(const char* options = R"({"rounds":2})", int players = 3) {
  return std::get<host::match>(rules().create(options, players));
}

int mover(const host::match& m) { return m.at_chance() ? chance : std::countr_zero(m.to_move()); }

std::string refusal(const host::match& m, const char* word) {
  const auto read = m.from_text(mover(m), word);
  REQUIRE(read.reason == nullptr);
  const auto why = m.clone().apply(mover(m), read.value);
  return why == nullptr ? "" : why;
}

host::match after(host::match m, const words& played) {
  for (const char* word : played) {
    const auto read = m.from_text(mover(m), word);
    INFO(word);
    REQUIRE(read.reason == nullptr);
    REQUIRE(m.apply(mover(m), read.value) == nullptr);
  }
  return m;
}

std::string view(const host::match& m, int viewer) {
  std::string out;
  m.view_json(viewer, out);
  return out;
}

bool shows(const host::match& m, int viewer, const char* part) {
  INFO(view(m, viewer));
  const bool found = view(m, viewer).find(part) != std::string::npos;
  CHECK(found);
  return found;
}

// Round 1: seat 0 deals, so seat 1 gets the first card, bids and leads first. Spades are trump.
const words round_one{"2C", "AC", "5D", "2S"};
// Round 2: seat 1 deals. Hands: seat 2 has AH and 3H, seat 0 has KH and 2D, seat 1 has 2S and 4H.
const words round_two{"AH", "KH", "2S", "3H", "2D", "4H", "9S"};

host::match in_round_two() {
  return after(start(), {"2C", "AC", "5D", "2S", "bid-0", "bid-1", "bid-1", "2C", "AC", "5D"});
}

TEST_CASE("oh_hell: keeps the engine contract") {
  tests::check_engine_contract(rules(), {.options_json = R"({"rounds":1})", .playouts = 60});
  tests::check_engine_contract(rules(), {.options_json = R"({"rounds":3})", .playouts = 20});
  tests::check_engine_contract(rules(), {.options_json = R"({"rounds":7})", .playouts = 2});
}

TEST_CASE("oh_hell: deals to each player in turn, then turns up the trump") {
  host::match m = start();
  std::vector<action> drawn;
  std::vector<std::uint32_t> weights;
  m.chance_outcomes(drawn, weights);
  CHECK(drawn.size() == 52);
  CHECK(m.audience(chance, 0) == only(1));
  m = after(std::move(m), {"2C"});
  m.chance_outcomes(drawn, weights);
  CHECK(drawn.size() == 51);
  CHECK(refusal(m, "2C") == "card-is-dealt");
  CHECK(m.audience(chance, 1) == only(2));
  m = after(std::move(m), {"AC", "5D"});
  CHECK(m.audience(chance, 1) == everyone);
  m = after(std::move(m), {"2S"});
  CHECK(m.to_move() == only(1));
}

TEST_CASE("oh_hell: shows a hand to its player alone") {
  const auto m = after(start(), round_one);
  CHECK(view(m, 1) == R"({"round":1,"rounds":2,"dealer":0,"trump":"2S","hand":["2C"],)"
                      R"("bids":[null,null,null],"tricks":[0,0,0],"leader":0,"trick":[],)"
                      R"("points":[0,0,0],"winner":null})");
  shows(m, 0, R"("hand":["5D"])");
  shows(m, spectator, R"("hand":null)");
}

TEST_CASE("oh_hell: the dealer bids last, and the bids must not add up") {
  const auto m = after(start(), round_one);
  CHECK(refusal(m, "2C") == "bid-first");
  CHECK(refusal(m, "bid-2") == "bid-too-high");
  const auto last = after(m.clone(), {"bid-0", "bid-1"});
  CHECK(last.to_move() == only(0));
  CHECK(refusal(last, "bid-0") == "bids-add-up");
  CHECK(refusal(last, "bid-1").empty());
  const auto made = after(last.clone(), {"bid-1"});
  CHECK(refusal(made, "bid-1") == "bids-are-made");
  shows(made, spectator, R"("bids":[1,0,1])");
}

TEST_CASE("oh_hell: the highest card of the suit that was led takes the trick") {
  const auto m = in_round_two();
  // Seat 2 took the trick that it had bid; seat 1 bid none and got none; seat 0 bid one.
  shows(m, spectator, R"("round":2,"rounds":2,"dealer":1,"trump":null)");
  shows(m, spectator, R"("leader":1,"trick":["2C","AC","5D"],"points":[0,10,11])");
}

TEST_CASE("oh_hell: players must follow suit, and a trump takes the trick") {
  auto m = after(in_round_two(), round_two);
  m = after(std::move(m), {"bid-1", "bid-0", "bid-2"});
  CHECK(m.to_move() == only(2));
  CHECK(refusal(m, "KH") == "not-your-card");
  m = after(std::move(m), {"AH"});
  CHECK(refusal(m, "2D") == "follow-suit");
  m = after(std::move(m), {"KH"});
  CHECK(refusal(m, "2S") == "follow-suit");
  m = after(std::move(m), {"4H"});
  shows(m, spectator, R"("tricks":[0,0,1],"leader":2,"trick":["AH","KH","4H"])");
  CHECK(m.to_move() == only(2));
  m = after(std::move(m), {"3H", "2D", "2S"});
  REQUIRE(m.over());
  // Seats 2 and 0 kept their bids of one and none; seat 1 took one of two.
  shows(m, spectator, R"("points":[10,10,22],"winner":2)");
  std::vector<double> scores(3);
  m.scores(scores);
  CHECK(scores == std::vector<double>{10, 10, 22});
}

TEST_CASE("oh_hell: no player wins if two have the most points") {
  const auto m = after(start(R"({"rounds":1})"),
                       {"2C", "3C", "5D", "2S", "bid-0", "bid-0", "bid-0", "2C", "3C", "5D"});
  REQUIRE(m.over());
  shows(m, spectator, R"("points":[10,10,0],"winner":null)");
}

TEST_CASE("oh_hell: reads actions by their word") {
  const auto m = start();
  CHECK(m.from_json(0, R"({"action":"QS"})").value == 49);
  CHECK(m.to_json(54) == R"({"type":"move","action":"bid-2"})");
  for (const char* text : {"", "Q", "SQ", "10C", "bid", "bid-", "bid-x", "bid-12"})
    CHECK(m.from_text(0, text).reason == std::string{"malformed"});
  CHECK(m.from_text(0, "bid-8").reason == std::string{"out-of-bounds"});
}

TEST_CASE("oh_hell: the engine player keeps more of its bids than a random one") {
  // Seat 0 plays by the rules of its choose(), the others at random, over deals from many seeds.
  double own = 0;
  double others = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    host::match m = start(R"({"rounds":5})");
    rng d{seed};
    while (!m.over()) {
      const int seat = mover(m);
      std::vector<action> legal;
      m.legal_actions(seat, legal);
      action a = legal[d.below(legal.size())];
      if (seat == 0) a = *m.choose(0, {level::perfect, d.next(), {}});
      REQUIRE(m.apply(seat, a) == nullptr);
    }
    double scores[3];
    m.scores(scores);
    own += scores[0];
    others += (scores[1] + scores[2]) / 2;
  }
  CHECK(own > 1.5 * others);
}

bool loads_with(const host::match& m, std::size_t at, int byte) {
  auto bytes = m.save();
  REQUIRE(at < bytes.size());
  bytes[at] = static_cast<char>(byte);
  return rules().load(bytes).has_value();
}

TEST_CASE("oh_hell: loads no state that breaks the rules") {
  // 52 places, then bids, tricks, points and the trick of five seats each, then players, rounds,
  // round, leader and dealt cards.
  enum : std::size_t { bids = 52, tricks = 57, points = 62, trick = 67, players = 72 };
  const auto bidding = after(start(), round_one);
  CHECK(loads_with(bidding, 0, 2));           // unchanged: seat 1 has the two of clubs
  CHECK_FALSE(loads_with(bidding, 0, 1));     // no hand has it, and seat 0 has two cards
  CHECK_FALSE(loads_with(bidding, 0, 6));     // two cards turned up
  CHECK_FALSE(loads_with(bidding, 0, 7));     // played before the bids
  CHECK_FALSE(loads_with(bidding, 0, 8));     // no place
  CHECK_FALSE(loads_with(bidding, bids, 1));  // the dealer bids first
  CHECK(loads_with(bidding, bids + 1, 1));
  CHECK_FALSE(loads_with(bidding, bids + 1, 3));
  CHECK_FALSE(loads_with(bidding, bids + 3, 1));
  CHECK_FALSE(loads_with(bidding, tricks, 1));
  CHECK_FALSE(loads_with(bidding, points, 1));  // no round has ended
  CHECK_FALSE(loads_with(bidding, trick, 1));
  CHECK_FALSE(loads_with(bidding, players, 2));
  CHECK_FALSE(loads_with(bidding, players, 6));
  CHECK_FALSE(loads_with(bidding, players + 1, 0));
  CHECK_FALSE(loads_with(bidding, players + 2, 2));
  CHECK_FALSE(loads_with(bidding, players + 3, 3));
  CHECK_FALSE(loads_with(bidding, players + 4, 3));
  const auto second = in_round_two();
  CHECK_FALSE(loads_with(second, trick, 0));       // the last trick is missing
  CHECK_FALSE(loads_with(second, trick + 1, 1));   // a card twice
  CHECK_FALSE(loads_with(second, trick + 2, 53));  // no card
  CHECK_FALSE(loads_with(second, points, 18));
  CHECK(loads_with(second, points, 17));
}

TEST_CASE("oh_hell: plays the game that is kept beside it") {
  const auto now = tests::playthrough(rules(), 1, R"({"rounds":2})");
  CHECK(tests::kept_playthrough(GAMEHUB_ENGINES_DIR "/oh_hell/playthrough.txt", now) == now);
}

}  // namespace
}  // namespace gamehub::engines::oh_hell
