#include "hub/server/cluster_orders.hpp"

#include "tests/support/catch.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::server {
namespace {

using relay::member_id;

// One hub of a cluster of four, of which member 4 is of a build that does not know orders.
struct ordering_hub {
  ordering_hub() {
    exchange.on_members({member_id{2}, member_id{3}, member_id{4}});
    for (const std::uint64_t other : {2u, 3u, 4u}) {
      exchange.on_link(member_id{other}, true);
      hears(other, relay::answer{0, false, other == 4 ? relay::web_level : relay::order_level});
    }
    orders.start([this](const relay::order& what, const cluster_orders::answered& done) {
      asked.push_back(what.target);
      done({200, what.body});
    });
    sent.clear();
  }
  void hears(std::uint64_t from, const relay::message& m) {
    const auto bytes = relay::encode(m, {});
    REQUIRE(bytes);
    CHECK_FALSE(exchange.on_message(member_id{from}, *bytes, {}));
  }
  // Of messages of this kind: the members that they were sent to, and what.
  template <class Kind>
  std::vector<std::pair<std::uint64_t, Kind>> of() const {
    std::vector<std::pair<std::uint64_t, Kind>> out;
    for (const auto& [to, bytes] : sent)
      if (const auto m = relay::decode(bytes, {}))
        if (const auto* kind = std::get_if<Kind>(&std::get<relay::message>(*m)))
          out.emplace_back(to, *kind);
    return out;
  }
  void ask() {
    orders.ask({0, "POST", "/games", "{}"},
               [this](auto all) { answers.push_back(std::move(all)); });
    io.poll();
    io.restart();
  }

  std::vector<std::pair<std::uint64_t, std::string>> sent;
  actors::relay::exchange exchange{{member_id{1}, [this](member_id to, std::string bytes) {
                                      sent.emplace_back(to.value, std::move(bytes));
                                      return true;
                                    }}};
  boost::asio::io_context io;
  cluster_orders orders{io, exchange};
  std::vector<std::string> asked;
  std::vector<std::vector<admin::hub_answer>> answers;
};

TEST_CASE("cluster orders of a hub: all others that know orders are asked, and answer once") {
  ordering_hub hub;
  hub.ask();
  const auto orders = hub.of<relay::order>();
  REQUIRE(orders.size() == 2);
  CHECK((orders[0].first == 2 && orders[1].first == 3));
  const auto& what = orders[0].second;
  CHECK((what.method == "POST" && what.target == "/games" && what.body == "{}"));
  hub.hears(2, relay::order_answer{what.number, 200, "[]"});
  // Answers twice, to another question, and a hub that was not asked.
  hub.hears(2, relay::order_answer{what.number, 500, "twice"});
  hub.hears(3, relay::order_answer{what.number + 1, 200, "other"});
  hub.hears(4, relay::order_answer{what.number, 200, "not asked"});
  hub.io.poll();
  CHECK(hub.answers.empty());
  hub.io.restart();
  hub.hears(3, relay::order_answer{what.number, 404, "{}"});
  hub.io.poll();
  REQUIRE(hub.answers.size() == 1);
  const auto& all = hub.answers[0];
  REQUIRE(all.size() == 3);
  CHECK((all[0].hub == 2 && all[0].said && all[0].said->json == "[]"));
  CHECK((all[1].hub == 3 && all[1].said && all[1].said->status == 404));
  CHECK((all[2].hub == 4 && !all[2].said));
}

TEST_CASE("cluster orders of a hub: one that does not answer in time is named") {
  ordering_hub hub;
  hub.ask();
  const auto begun = std::chrono::steady_clock::now();
  hub.hears(2, relay::order_answer{hub.of<relay::order>().at(0).second.number, 200, "[]"});
  hub.io.run();
  REQUIRE(hub.answers.size() == 1);
  CHECK(std::chrono::steady_clock::now() - begun < 2 * cluster_orders::answer_max);
  CHECK(hub.answers[0][0].said);
  CHECK_FALSE(hub.answers[0][1].said);
}

TEST_CASE("cluster orders of a hub: what others ask is answered, but not without bounds") {
  ordering_hub hub;
  hub.hears(3, relay::order{7, "POST", "/players", "all"});
  hub.io.poll();
  CHECK(hub.asked == std::vector<std::string>{"/players"});
  const auto said = hub.of<relay::order_answer>();
  REQUIRE(said.size() == 1);
  CHECK((said[0].first == 3 && said[0].second.number == 7 && said[0].second.json == "all"));
  hub.io.restart();
  // None is carried out while these come.
  for (std::size_t i = 1; i <= cluster_orders::orders_max + 9; ++i)
    hub.hears(2, relay::order{i, "POST", "/players", {}});
  hub.hears(3, relay::order{8, "POST", "/players", {}});
  hub.io.poll();
  CHECK(hub.of<relay::order_answer>().size() == 1 + cluster_orders::orders_max + 1);
  CHECK(hub.exchange.count().refused[static_cast<std::size_t>(relay::demand::order)] == 9);
  hub.hears(2, relay::order{99, "POST", "/players", {}});
  hub.io.restart();
  hub.io.poll();
  CHECK(hub.of<relay::order_answer>().back().second.number == 99);
  hub.io.restart();
  for (std::size_t i = 0; i <= cluster_orders::orders_max; ++i) hub.ask();
  CHECK(hub.of<relay::order>().size() == 2 * cluster_orders::orders_max);
  REQUIRE(hub.answers.size() == 1);
  CHECK_FALSE(hub.answers[0][0].said);
}

}  // namespace
}  // namespace gamehub::server
