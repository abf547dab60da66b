#include "actors/lobby/rematch_offers.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using actors::lobby::rematch_offer;
using actors::lobby::rematch_offers;
using namespace std::chrono_literals;

namespace {

constexpr player_id ann{1}, bob{2}, eve{3};
constexpr game_id first{17}, other{18}, next{19};
constexpr base::instant noon{12h};

rematch_offer by_ann(game_id of = first) { return {of, ann, 0, "Ann", {bob, 1, "Bob"}}; }

// What a player hears, as short texts.
std::vector<std::string> heard(const rematch_offers::effects& what, player_id who) {
  std::vector<std::string> out;
  for (const auto& m : what.messages)
    if (m.to == who)
      out.push_back(m.what.name + " " + std::string{to_string(m.what.step)} + " " +
                    std::to_string(m.game.value) + " " + std::string{to_string(m.what.cause)});
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("rematch_offers: both players hear of an offer, and of its end") {
  rematch_offers book;
  const auto opened = book.open(by_ann(), noon);
  for (const auto who : {ann, bob}) CHECK(heard(opened, who) == texts{"Ann offered 17 request"});
  CHECK(opened.seats_given_back.empty());
  CHECK(book.is_offered(bob, first));
  CHECK_FALSE(book.is_offered(bob, other));
  CHECK_FALSE(book.is_offered(ann, first));
  const auto withdrawn = book.withdraw(ann, offer_cause::request);
  for (const auto who : {ann, bob})
    CHECK(heard(withdrawn, who) == texts{"Ann withdrawn 17 request"});
  CHECK_FALSE(book.is_offered(bob, first));
  CHECK(book.withdraw(ann, offer_cause::request).messages.empty());
}

TEST_CASE("rematch_offers: an offer that is declined gives the seat back that waits") {
  rematch_offers book;
  book.open(by_ann(), noon);
  CHECK(book.decline_one(bob, other, offer_cause::request).messages.empty());
  CHECK(book.decline_one(ann, first, offer_cause::request).messages.empty());
  CHECK(book.decline_one(eve, first, offer_cause::request).messages.empty());
  const auto declined = book.decline_one(bob, first, offer_cause::request);
  for (const auto who : {ann, bob}) CHECK(heard(declined, who) == texts{"Bob declined 17 request"});
  CHECK(declined.seats_given_back == std::vector{ann});
  CHECK(book.decline_one(bob, first, offer_cause::request).messages.empty());
}

TEST_CASE("rematch_offers: who sits down elsewhere or leaves declines the others") {
  rematch_offers book;
  book.open(by_ann(), noon);
  book.open({other, eve, 1, "Eve", {bob, 0, "Bob"}}, noon);
  const auto elsewhere = book.decline_others(bob, first, offer_cause::elsewhere);
  CHECK(heard(elsewhere, ann).empty());
  CHECK(heard(elsewhere, eve) == texts{"Bob declined 18 elsewhere"});
  CHECK(elsewhere.seats_given_back == std::vector{eve});
  const auto left = book.decline_others(bob, {}, offer_cause::left);
  CHECK(heard(left, ann) == texts{"Bob declined 17 left"});
}

TEST_CASE("rematch_offers: the new game accepts the offer of its players alone") {
  rematch_offers book;
  book.open(by_ann(), noon);
  CHECK(book.accept({eve, ann}, next).messages.empty());
  const auto accepted = book.accept({bob, ann}, next);
  CHECK(heard(accepted, ann) == texts{"Bob accepted 17 request"});
  REQUIRE(accepted.messages.size() == 2);
  CHECK(accepted.messages.front().what.next == next);
  CHECK(book.accept({bob, ann}, next).messages.empty());
}

TEST_CASE("rematch_offers: a player has one open offer") {
  rematch_offers book;
  book.open(by_ann(), noon);
  const auto again = book.open(by_ann(other), noon);
  CHECK(heard(again, bob) == texts{"Ann withdrawn 17 elsewhere", "Ann offered 18 request"});
  CHECK_FALSE(book.is_offered(bob, first));
}

TEST_CASE("rematch_offers: a player can't flood another one with them") {
  rematch_offers book;
  for (std::size_t i = 0; i < limits::offers_max; ++i) {
    CHECK_FALSE(book.is_too_fast(ann, noon));
    book.open(by_ann(), noon);
    book.withdraw(ann, offer_cause::request);
  }
  CHECK(book.is_too_fast(ann, noon));
  CHECK(book.is_too_fast(ann, noon + limits::offers_in - 1s));
  CHECK_FALSE(book.is_too_fast(bob, noon));
  CHECK_FALSE(book.is_too_fast(ann, noon + limits::offers_in));
}

TEST_CASE("rematch_offers: a new name is that of later messages") {
  rematch_offers book;
  book.open(by_ann(), noon);
  book.rename(ann, "Anna");
  book.rename(bob, "Bobby");
  CHECK(heard(book.decline_one(bob, first, offer_cause::request), ann) ==
        texts{"Bobby declined 17 request"});
  book.open(by_ann(), noon);
  book.rename(ann, "Anna");
  CHECK(heard(book.withdraw(ann, offer_cause::left), bob) == texts{"Anna withdrawn 17 left"});
}
