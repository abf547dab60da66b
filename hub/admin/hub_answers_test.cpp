#include "hub/admin/hub_answers.hpp"

#include "hub/admin/order_log.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

namespace gamehub::admin {
namespace {

hub_answer says(std::uint64_t hub, std::string json, int status = 200) {
  return {hub, command_answer{status, std::move(json)}};
}

std::string order_at(const std::string& second) {
  return R"({"at":"2026-01-02T03:04:)" + second + R"(Z","order":"say"})";
}

TEST_CASE("hub answers: games are those of all hubs, the newest first, each with its hub") {
  const std::vector<hub_answer> all{
      says(1,
           R"({"games":[{"game":9,"status":"running"},{"game":2,"status":"ended"}],"next":null})"),
      says(4, R"({"games":[{"game":7,"status":"waiting"}],"next":null})"),
      {5, {}},
      says(6, "nonsense")};
  CHECK(merge_games(all, 9).json ==
        R"({"games":[{"game":9,"hub":1,"status":"running"},)"
        R"({"game":7,"hub":4,"status":"waiting"},{"game":2,"hub":null,"status":"ended"}],)"
        R"("next":null,"unreached":[5]})");
  // A page of two, and one that ends where that of the hub with more games ends.
  CHECK(merge_games(all, 2).json.find(R"("next":7)") != std::string::npos);
  const std::vector<hub_answer> more{says(1, R"({"games":[{"game":9},{"game":8}],"next":8})"),
                                     says(4, R"({"games":[{"game":8},{"game":7}],"next":null})")};
  CHECK(merge_games(more, 9).json ==
        R"({"games":[{"game":9,"hub":1},{"game":8,"hub":1}],"next":8,"unreached":[]})");
}

TEST_CASE("hub answers: an error of the asked hub is the answer to a list") {
  CHECK(merge_games({says(1, "{}", 503), says(2, R"({"games":[],"next":null})")}, 9).status == 503);
}

TEST_CASE("hub answers: players are in the order of their numbers") {
  const std::vector<hub_answer> all{
      says(1, R"({"players":[{"player":3},{"player":8}],"next":8})"),
      says(2, R"({"players":[{"player":5},{"player":9}],"next":null})")};
  CHECK(merge_players(all, 9).json ==
        R"({"next":8,"players":[{"hub":1,"player":3},{"hub":2,"player":5},{"hub":1,"player":8}],)"
        R"("unreached":[]})");
  CHECK(merge_players(all, 1).json ==
        R"({"next":3,"players":[{"hub":1,"player":3}],"unreached":[]})");
}

TEST_CASE("hub answers: orders are the latest of all hubs") {
  const auto merged =
      merge_orders({says(1, R"({"orders":[)" + order_at("05") + "," + order_at("01") + "]}"),
                    says(2, R"({"orders":[)" + order_at("03") + "]}"),
                    {3, {}}});
  CHECK(merged.json == R"({"orders":[{"at":"2026-01-02T03:04:05Z","hub":1,"order":"say"},)"
                       R"({"at":"2026-01-02T03:04:03Z","hub":2,"order":"say"},)"
                       R"({"at":"2026-01-02T03:04:01Z","hub":1,"order":"say"}],"unreached":[3]})");
  std::string many = order_at("05");
  for (std::size_t i = 1; i < orders_max; ++i) many += "," + order_at("05");
  const auto full = merge_orders(
      {says(1, R"({"orders":[)" + many + "]}"), says(2, R"({"orders":[)" + order_at("03") + "]}")});
  CHECK(full.json.find("04:03Z") == std::string::npos);
}

TEST_CASE("hub answers: a message is that of the asked hub, with who was not reached") {
  CHECK(merge_done({says(1, R"({"said":"hi"})"), says(2, R"({"said":"hi"})"), {3, {}}}).json ==
        R"({"said":"hi","unreached":[3]})");
}

TEST_CASE("hub answers: what is looked for is at the first hub that has it") {
  const auto none = [](std::uint64_t hub) { return says(hub, R"({"error":"no"})", 404); };
  const auto found = first_success({none(1), says(2, R"({"game":7,"status":"running"})")});
  CHECK(found.status == 200);
  CHECK(found.json == R"({"game":7,"hub":2,"status":"running"})");
  CHECK(first_success({says(1, R"({"game":7,"status":"ended"})")}).json ==
        R"({"game":7,"hub":null,"status":"ended"})");
  CHECK(first_success({none(1), none(2)}).status == 404);
  const auto unsure = first_success({none(1), {3, {}}});
  CHECK(unsure.status == 504);
  CHECK(unsure.json.find("hub 3 did not answer") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::admin
