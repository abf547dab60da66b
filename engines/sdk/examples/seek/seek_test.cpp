// Tests of the rules of Seek, by the board that each viewer sees.
#include "engines/testing.hpp"

namespace {

using namespace gamehub::engines;

void only_x_sees_the_ship() {
  testing::tested_match m;
  GAMEHUB_EXPECT_EQUAL(m.play(0, "5"), "");
  GAMEHUB_EXPECT_EQUAL(m.board(0), "-----X----------");
  GAMEHUB_EXPECT_EQUAL(m.board(1), "----------------");
  GAMEHUB_EXPECT_EQUAL(m.board(spectator), "----------------");
  GAMEHUB_EXPECT_EQUAL(m.play(1, "0"), "");
  GAMEHUB_EXPECT_EQUAL(m.play(1, "0"), "space-not-empty");
  GAMEHUB_EXPECT_EQUAL(m.board(1), "O---------------");
}

void o_wins_by_a_hit_and_loses_after_five_shots() {
  testing::tested_match hit;
  GAMEHUB_EXPECT_EQUAL(hit.play_in_turn("5 0 5"), "");
  GAMEHUB_EXPECT_EQUAL(hit.score_of(1), 1);
  GAMEHUB_EXPECT_EQUAL(hit.board(spectator), "O----X----------");
  testing::tested_match missed;
  GAMEHUB_EXPECT_EQUAL(missed.play_in_turn("5 0 1 2 3 4"), "");
  GAMEHUB_EXPECT_EQUAL(missed.to_move(), 0U);
  GAMEHUB_EXPECT_EQUAL(missed.score_of(0), 1);
}

}  // namespace

int main() {
  only_x_sees_the_ship();
  o_wins_by_a_hit_and_loses_after_five_shots();
  return testing::failures();
}
