#include "actors/table/game_offers.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

using namespace gamehub;
using namespace std::chrono_literals;
using actors::table::game_offers;
using change = game_offers::change;

namespace {

constexpr auto draw = offer_kind::draw, takeback = offer_kind::takeback;
constexpr auto accepted = offer_step::accepted, declined = offer_step::declined,
               withdrawn = offer_step::withdrawn;
constexpr seat_set two = 0b11, three = 0b111;
const base::instant start{1h};

TEST_CASE("game offers: what one offers the other accepts, declines or sees withdrawn") {
  game_offers o;
  const auto made = o.offer(draw, 0, two, start);
  CHECK_FALSE(made.why);
  CHECK(made.changed == change{offer_step::offered, draw, 0});
  CHECK_FALSE(made.granted);
  CHECK(o.open() == std::vector{game_offers::standing{draw, 0, only(1)}});
  CHECK(o.answer(draw, 1, declined).changed == change{declined, draw, 1});
  CHECK(o.open().empty());
  CHECK_FALSE(o.offer(draw, 0, two, start).why);
  CHECK(o.answer(draw, 0, withdrawn).changed == change{withdrawn, draw, 0});
  CHECK_FALSE(o.offer(takeback, 1, two, start).why);
  const auto yes = o.answer(takeback, 0, accepted);
  CHECK(yes.changed == change{accepted, takeback, 0});
  REQUIRE(yes.granted);
  CHECK(yes.granted->by == 1);
  CHECK(o.open().empty());
}

TEST_CASE("game offers: no player answers what is not offered to it, and an offer stands once") {
  game_offers o;
  for (const auto step : {accepted, declined, withdrawn, offer_step::offered})
    CHECK(o.answer(draw, 0, step).why == refusal::no_offer);
  REQUIRE_FALSE(o.offer(draw, 0, two, start).why);
  CHECK(o.offer(draw, 0, two, start).detail == "you have offered it already");
  CHECK(o.answer(draw, 0, accepted).why == refusal::no_offer);
  CHECK(o.answer(draw, 0, declined).why == refusal::no_offer);
  CHECK(o.answer(draw, 1, withdrawn).why == refusal::no_offer);
  CHECK(o.answer(takeback, 1, accepted).why == refusal::no_offer);
  CHECK(o.open().size() == 1);
}

TEST_CASE("game offers: a draw that both offer is agreed, a takeback that both offer is not") {
  game_offers o;
  REQUIRE_FALSE(o.offer(draw, 0, two, start).why);
  CHECK(o.offer(draw, 1, two, start).granted);
  REQUIRE_FALSE(o.offer(takeback, 0, two, start).why);
  CHECK(o.offer(takeback, 1, two, start).why == refusal::no_offer);
}

TEST_CASE("game offers: three agree only together, and one alone needs no answer") {
  game_offers o;
  REQUIRE_FALSE(o.offer(draw, 0, three, start).why);
  CHECK_FALSE(o.answer(draw, 2, accepted).granted);
  CHECK(o.answer(draw, 2, accepted).why == refusal::no_offer);
  CHECK(o.offer(draw, 2, three, start).why == refusal::no_offer);
  CHECK(o.answer(draw, 1, accepted).granted);
  const auto alone = o.offer(takeback, 0, only(0), start);
  CHECK(alone.granted);
  CHECK(o.open().empty());
}

TEST_CASE("game offers: a move ends a takeback, and a draw if its maker was to answer") {
  game_offers o;
  REQUIRE_FALSE(o.offer(draw, 0, two, start).why);
  REQUIRE_FALSE(o.offer(takeback, 1, two, start).why);
  CHECK(o.on_move(0) == std::vector{change{withdrawn, takeback, 1, offer_cause::moved}});
  CHECK(o.open().size() == 1);
  CHECK(o.on_move(1) == std::vector{change{declined, draw, 1, offer_cause::moved}});
  CHECK(o.open().empty());
  CHECK(o.on_move(0).empty());
}

TEST_CASE("game offers: who leaves withdraws and declines") {
  game_offers o;
  REQUIRE_FALSE(o.offer(draw, 0, three, start).why);
  REQUIRE_FALSE(o.offer(takeback, 1, three, start).why);
  CHECK(o.on_left(0) == std::vector{change{withdrawn, draw, 0, offer_cause::left},
                                    change{declined, takeback, 0, offer_cause::left}});
  CHECK(o.open().empty());
}

TEST_CASE("game offers: they are limited in a minute and in a game") {
  game_offers o;
  auto now = start;
  for (std::size_t i = 0; i < limits::offers_max; ++i) {
    REQUIRE_FALSE(o.offer(draw, 0, two, now).why);
    o.answer(draw, 1, declined);
  }
  CHECK(o.offer(draw, 0, two, now).why == refusal::rate_limited);
  CHECK(o.check(takeback, 0, offer_step::offered, now).why == refusal::rate_limited);
  CHECK_FALSE(o.offer(draw, 1, two, now).why);
  o.answer(draw, 1, withdrawn);
  for (auto made = limits::offers_max; made < limits::offers_per_game_max; ++made) {
    now += limits::offers_in;
    REQUIRE_FALSE(o.offer(draw, 0, two, now).why);
    o.answer(draw, 0, withdrawn);
  }
  now += limits::offers_in;
  CHECK(o.offer(draw, 0, two, now).why == refusal::no_offer);
}

TEST_CASE("game offers: a log restores what stands and what was offered") {
  game_offers was, is;
  const auto log = [&](const game_offers::result& r) { is.restore(*r.changed, three); };
  log(was.offer(draw, 0, three, start));
  log(was.answer(draw, 2, accepted));
  log(was.offer(takeback, 1, three, start));
  CHECK(is.open() == was.open());
  log(was.answer(takeback, 0, declined));
  log(was.answer(draw, 1, accepted));
  CHECK(was.open().empty());
  CHECK(is.open().empty());
  for (auto made = std::size_t{1}; made < limits::offers_per_game_max; ++made)
    is.restore({offer_step::offered, draw, 0}, only(0));
  CHECK(is.open().empty());
  CHECK(is.offer(draw, 0, three, start).why == refusal::no_offer);
}

}  // namespace
