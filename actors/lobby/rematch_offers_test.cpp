#include "actors/lobby/rematch_offers.hpp"

#include "hub/core/limits.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace gamehub;
using actors::lobby::rematch_offers;
using namespace std::chrono_literals;

namespace {

constexpr player_id ann{1}, bob{2}, eve{3};
constexpr game_id first{17}, other{18}, next{19};
constexpr base::instant noon{12h};

using members = std::vector<rematch_offers::member>;

const members two{{ann, 0, "Ann"}, {bob, 1, "Bob"}};
const members three{{ann, 0, "Ann"}, {bob, 1, "Bob"}, {eve, 2, "Eve"}};

// What a player hears, as short texts.
std::vector<std::string> heard(const rematch_offers::effects& what, player_id who) {
  std::vector<std::string> out;
  for (const auto& m : what.messages)
    if (m.to == who)
      out.push_back(m.what.name + " " + std::string{to_string(m.what.step)} + " " +
                    std::to_string(m.game.value) + " " + std::string{to_string(m.what.cause)} +
                    (m.what.next ? " " + std::to_string(m.what.next.value) : ""));
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("rematch_offers: both players hear of an offer, and of its end") {
  rematch_offers book;
  const auto opened = book.ask(ann, first, two, noon);
  for (const auto who : {ann, bob}) CHECK(heard(opened, who) == texts{"Ann offered 17 request"});
  CHECK(opened.seats_given_back.empty());
  CHECK(book.is_offered(bob, first));
  CHECK_FALSE(book.is_offered(bob, other));
  CHECK_FALSE(book.is_offered(ann, first));
  CHECK(book.awaited_by(ann) == first);
  CHECK_FALSE(book.awaited_by(bob));
  const auto withdrawn = book.withdraw(ann, offer_cause::request);
  for (const auto who : {ann, bob})
    CHECK(heard(withdrawn, who) == texts{"Ann withdrawn 17 request"});
  CHECK(withdrawn.seats_given_back.empty());
  CHECK_FALSE(book.is_offered(bob, first));
  CHECK(book.withdraw(ann, offer_cause::request).messages.empty());
}

TEST_CASE("rematch_offers: an offer that is declined gives the seat back that waits") {
  rematch_offers book;
  book.ask(ann, first, two, noon);
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
  book.ask(ann, first, two, noon);
  book.ask(eve, other, {{bob, 0, "Bob"}, {eve, 1, "Eve"}}, noon);
  const auto elsewhere = book.decline_others(bob, first, offer_cause::elsewhere);
  CHECK(heard(elsewhere, ann).empty());
  CHECK(heard(elsewhere, eve) == texts{"Bob declined 18 elsewhere"});
  CHECK(elsewhere.seats_given_back == std::vector{eve});
  const auto left = book.decline_others(bob, {}, offer_cause::left);
  CHECK(heard(left, ann) == texts{"Bob declined 17 left"});
}

TEST_CASE("rematch_offers: the new game accepts the offer of its players alone") {
  rematch_offers book;
  book.ask(ann, first, two, noon);
  CHECK(book.begin({eve, ann}, next).messages.empty());
  const auto accepted = book.begin({bob, ann}, next);
  CHECK(heard(accepted, ann) == texts{"Bob accepted 17 request 19"});
  CHECK(heard(accepted, bob) == heard(accepted, ann));
  CHECK(book.begin({bob, ann}, next).messages.empty());
  CHECK_FALSE(book.awaited_by(ann));
}

TEST_CASE("rematch_offers: of three, each accepts it, and the last begins the game") {
  rematch_offers book;
  book.ask(bob, first, three, noon);
  const auto one = book.ask(ann, first, three, noon);
  for (const auto who : {ann, bob, eve}) CHECK(heard(one, who) == texts{"Ann accepted 17 request"});
  CHECK(book.is_offered(ann, first));
  CHECK(book.begin({ann, bob}, next).messages.empty());
  SECTION("the last one is seated at once") {
    CHECK(heard(book.begin({ann, bob, eve}, next), bob) == texts{"Eve accepted 17 request 19"});
  }
  SECTION("the last one has waited for room") {
    book.ask(eve, first, three, noon);
    CHECK(heard(book.begin({ann, bob, eve}, next), bob) == texts{"Eve accepted 17 request 19"});
  }
  CHECK_FALSE(book.is_offered(eve, first));
}

TEST_CASE("rematch_offers: of three, who has accepted and goes ends it for all who wait") {
  rematch_offers book;
  book.ask(bob, first, three, noon);
  book.ask(ann, first, three, noon);
  SECTION("it gives its seat up") {
    const auto gone = book.withdraw(ann, offer_cause::left);
    for (const auto who : {ann, bob, eve}) CHECK(heard(gone, who) == texts{"Ann declined 17 left"});
    CHECK(gone.seats_given_back == std::vector{bob});
  }
  SECTION("it declines") {
    const auto no = book.decline_one(ann, first, offer_cause::request);
    CHECK(heard(no, eve) == texts{"Ann declined 17 request"});
    CHECK(no.seats_given_back == std::vector{ann, bob});
  }
  SECTION("the third one declines") {
    const auto no = book.decline_one(eve, first, offer_cause::request);
    CHECK(no.seats_given_back == std::vector{ann, bob});
  }
  SECTION("who has offered it withdraws it") {
    const auto gone = book.withdraw(bob, offer_cause::request);
    CHECK(heard(gone, eve) == texts{"Bob withdrawn 17 request"});
    CHECK(gone.seats_given_back == std::vector{ann});
  }
  for (const auto who : {ann, bob, eve}) {
    CHECK_FALSE(book.is_offered(who, first));
    CHECK_FALSE(book.awaited_by(who));
  }
}

TEST_CASE("rematch_offers: a player waits for one rematch") {
  rematch_offers book;
  book.ask(ann, first, two, noon);
  const auto again = book.ask(ann, other, two, noon);
  CHECK(heard(again, bob) == texts{"Ann withdrawn 17 elsewhere", "Ann offered 18 request"});
  CHECK_FALSE(book.is_offered(bob, first));
  // What it had accepted ends as well.
  book.ask(bob, other, two, noon);
  CHECK(heard(book.ask(bob, next, two, noon), ann) ==
        texts{"Bob declined 18 elsewhere", "Bob offered 19 request"});
}

TEST_CASE("rematch_offers: a player can't flood another one with them") {
  rematch_offers book;
  for (std::size_t i = 0; i < limits::offers_max; ++i) {
    CHECK_FALSE(book.is_too_fast(ann, noon));
    book.ask(ann, first, two, noon);
    // To accept is no offer.
    book.ask(bob, first, two, noon);
    book.withdraw(ann, offer_cause::request);
  }
  CHECK(book.is_too_fast(ann, noon));
  CHECK(book.is_too_fast(ann, noon + limits::offers_in - 1s));
  CHECK_FALSE(book.is_too_fast(bob, noon));
  CHECK_FALSE(book.is_too_fast(ann, noon + limits::offers_in));
}

TEST_CASE("rematch_offers: a new name is that of later messages") {
  rematch_offers book;
  book.ask(ann, first, two, noon);
  book.rename(ann, "Anna");
  book.rename(bob, "Bobby");
  CHECK(heard(book.decline_one(bob, first, offer_cause::request), ann) ==
        texts{"Bobby declined 17 request"});
  book.ask(ann, first, two, noon);
  book.rename(ann, "Anna");
  CHECK(heard(book.withdraw(ann, offer_cause::left), bob) == texts{"Anna withdrawn 17 left"});
}
