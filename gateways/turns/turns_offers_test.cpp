// Offers in the protocol of JSON turns: draws, takebacks, rematches and claims.
#include "gateways/turns/turns.hpp"
#include "tests/contract/codec_events.hpp"
#include "tests/contract/codec_reading.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::gateways::turns {
namespace {

using nlohmann::json;
using tests::answered;
using tests::told;

std::unique_ptr<codec> offers_codec() { return describe().make_codec({}); }

// Returns what a client reads for these events.
std::string sent_of_offers(codec& c, const std::vector<event>& events) {
  std::string out;
  for (const auto& each : events) c.send(each, out);
  return out;
}

TEST_CASE("turns: who wants offers sends and gets them, and others do neither") {
  const offer_update made{offer_step::offered, 1, "bob", {}, {}, offer_kind::draw};
  {
    const auto old = offers_codec();
    sent_of_offers(*old, tests::beginning(0));
    CHECK(sent_of_offers(*old, {told(made)}).empty());
  }
  CHECK(tests::read(*offers_codec(),
                    R"({"type":"offer","game_id":0,"what":"draw"})"
                    "\n",
                    {})
            .said == std::vector<std::string>{"error unknown-type"});
  const auto c = offers_codec();
  const auto said = [&](const std::string& line) {
    c->receive(line);
    const auto what = std::get<intent>(*c->next());
    const auto* o = std::get_if<offer>(&what);
    if (o == nullptr) return std::string{"no offer"};
    if (!o->mistake.empty()) return std::string{o->mistake};
    return std::to_string(o->game.value) + " " + std::string{to_string(o->what)} + " " +
           std::string{to_string(o->step)};
  };
  tests::read(*c,
              R"({"type":"connect","supported_games":["tictactoe"],"wants":["offers"]})"
              "\n",
              {});
  sent_of_offers(*c, {told(started{"tictactoe", "XO", {"a", "b"}, 0})});
  const auto game = std::to_string(told(made).game.value);
  CHECK(
      sent_of_offers(*c, {told(made)}) ==
      R"({"type":"offer","game_id":0,"what":"draw","step":"offered","seat":1,"mark":"O","name":"bob"})"
      "\n");
  const offer_update ended{offer_step::declined, 0,  "a",
                           offer_cause::moved,   {}, offer_kind::takeback};
  CHECK(json::parse(sent_of_offers(*c, {told(ended)}))["cause"] == "moved");
  CHECK(said(R"({"type":"offer","game_id":0,"what":"takeback"})"
             "\n") == game + " takeback offered");
  CHECK(said(R"({"type":"offer","game_id":0,"what":"draw","step":"accepted"})"
             "\n") == game + " draw accepted");
  // What has no known words is refused, with those that there are.
  for (const std::string members : {R"("what":"cake")", R"("step":"accepted")"})
    CHECK(said(R"({"type":"offer","game_id":0,)" + members + "}\n") ==
          R"("what" must be "draw", "takeback" or "rematch")");
  for (const std::string step : {R"("maybe")", "null", "7"})
    CHECK(said(R"({"type":"offer","game_id":0,"what":"draw","step":)" + step + "}\n") ==
          R"("step" must be "offered", "accepted", "declined" or "withdrawn")");
  auto no = refused{refusal::no_offer, "there is no such offer", {}};
  CHECK(sent_of_offers(*c, {answered(no)}) ==
        R"({"type":"offer","game_id":0,"error":"no-offer","detail":"there is no such offer"})"
        "\n");
  c->receive(R"({"type":"claim","game_id":0})"
             "\n");
  CHECK(std::get<claim>(std::get<intent>(*c->next())).game.value != 0);
}

TEST_CASE("turns: who wants offers offers a rematch of an ended game, and hears of it") {
  const auto c = offers_codec();
  tests::read(*c,
              R"({"type":"connect","supported_games":["tictactoe"],"wants":["offers"]})"
              "\n",
              {});
  const auto offered = [&] {
    c->receive(R"({"type":"offer","game_id":0,"what":"rematch"})"
               "\n");
    return std::get<offer>(std::get<intent>(*c->next())).game;
  };
  sent_of_offers(*c, {told(started{"tictactoe", "XO", {"a", "b"}, 0})});
  const auto game = told(offer_update{}).game;
  auto over = std::make_shared<position>();
  over->document = "{}";
  over->outcome = outcome{end_reason::rules, 0, {1, -1}};
  sent_of_offers(*c, {told(position_ref{over})});
  CHECK(offered() == game);
  CHECK(
      sent_of_offers(*c, {told(offer_update{offer_step::offered, 1, "b"})}) ==
      R"({"type":"offer","game_id":0,"what":"rematch","step":"offered","seat":1,"mark":"O","name":"b"})"
      "\n");
  CHECK(sent_of_offers(*c, {answered(refused{refusal::already_in_game, {}, {}})}) ==
        R"({"type":"offer","game_id":0,"error":"already-in-game"})"
        "\n");
  const game_id next{game.value + 1};
  sent_of_offers(*c, {told(offer_update{offer_step::accepted, 0, "a", {}, next})});
  std::string out;
  c->send(event{{}, next, started{"tictactoe", "XO", {"b", "a"}, 1}}, out);
  CHECK(json::parse(out)["rematch_of"] == 0);
  // Only the latest games are remembered.
  for (std::uint64_t i = 2; i < 30; ++i) {
    out.clear();
    c->send(event{{}, {game.value + i}, started{"tictactoe", "XO", {"a", "b"}, 0}}, out);
    CHECK_FALSE(json::parse(out).contains("rematch_of"));
    c->send(event{{}, {game.value + i}, position_ref{over}}, out);
  }
  CHECK(offered() != game);
  // Who wants no offers hears of none.
  const auto old = offers_codec();
  sent_of_offers(*old, {told(started{"tictactoe", "XO", {"a", "b"}, 0})});
  sent_of_offers(*old, {told(position_ref{over})});
  CHECK(sent_of_offers(*old, {told(offer_update{offer_step::offered, 1, "b"})}).empty());
}

}  // namespace
}  // namespace gamehub::gateways::turns
