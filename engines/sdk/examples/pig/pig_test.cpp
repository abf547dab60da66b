// Tests of the rules of Pig. The seat `chance` plays the numbers of the die.
#include "engines/testing.hpp"

namespace {

using namespace gamehub::engines;

void a_player_keeps_the_points_of_a_turn_by_holding() {
  testing::tested_match m;
  GAMEHUB_EXPECT_EQUAL(m.play(0, "0"), "");
  GAMEHUB_EXPECT_EQUAL(m.to_move(), only(chance));
  GAMEHUB_EXPECT_EQUAL(m.play(chance, "6"), "");
  GAMEHUB_EXPECT_EQUAL(m.summary(), "This turn has 6 points.");
  GAMEHUB_EXPECT_EQUAL(m.play_in_turn("0 5 1"), "");
  GAMEHUB_EXPECT_EQUAL(m.view(spectator), R"({"points":[11,0],"turn":0,"actions":5})");
  GAMEHUB_EXPECT_EQUAL(m.to_move(), only(1));
}

void a_one_loses_the_points_of_the_turn() {
  testing::tested_match m;
  GAMEHUB_EXPECT_EQUAL(m.play_in_turn("0 6 0 1"), "");
  GAMEHUB_EXPECT_EQUAL(m.view(spectator), R"({"points":[0,0],"turn":0,"actions":4})");
}

void fifty_points_win() {
  testing::tested_match m;
  GAMEHUB_EXPECT_EQUAL(m.play_in_turn("0 6 0 6 0 6 0 6 0 6 0 6 0 6 0 6 0 6 1"), "");
  GAMEHUB_EXPECT_EQUAL(m.to_move(), 0U);
  GAMEHUB_EXPECT_EQUAL(m.score_of(0), 1);
}

void a_match_without_points_ends() {
  testing::tested_match m;
  for (int i = 0; i < 1'000; ++i) GAMEHUB_EXPECT_EQUAL(m.play_in_turn("1"), "");
  GAMEHUB_EXPECT_EQUAL(m.to_move(), 0U);
  GAMEHUB_EXPECT_EQUAL(m.score_of(0), 0);
}

}  // namespace

int main() {
  a_player_keeps_the_points_of_a_turn_by_holding();
  a_one_loses_the_points_of_the_turn();
  fifty_points_win();
  a_match_without_points_ends();
  return testing::failures();
}
