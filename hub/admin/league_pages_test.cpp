#include "hub/admin/league_pages.hpp"

#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

namespace gamehub::admin {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

struct scene {
  std::unique_ptr<league::store> kept = league::make_memory_store();
  league::arena bots{
      *kept, std::make_unique<base::seeded_entropy>(1), {{}, true}, base::wall_time{1h}};

  scene() {
    for (const auto* name : {"dot", "dash [2]", "dip"})
      bots.register_bot({name, "1", "nim", "http://h/"}, {"t", "192.0.2.7"}, base::wall_time{1h},
                        [this](const league::registered& said) {
                          bots.on_online(std::get<bot_record>(said), base::wall_time{1h});
                        });
  }
  page ask(std::string_view method, std::string_view target) {
    return arena_page(bots, method, target, base::wall_time{2h});
  }
  json get(std::string_view target) {
    const auto said = ask("GET", target);
    REQUIRE(said.status == 200);
    return json::parse(said.body);
  }
};

TEST_CASE("league_pages: list the bots and their errors") {
  scene s;
  const auto dot = s.bots.find("dot").value();
  s.bots.on_failure(dot, {bot_error_code::out_of_bounds, "no such place", game_id{7}},
                    base::wall_time{1h + 61s});
  const auto all = s.get("/arena");
  CHECK(all["waiting"] == 2);
  REQUIRE(all["bots"].size() == 3);
  CHECK(all["bots"][0]["name"] == "dot");
  CHECK(all["bots"][0]["state"] == "faulty");
  CHECK(all["bots"][0]["failures"][0]["code"] == 1549);
  CHECK(all["bots"][0]["failures"][0]["at"] == "1970-01-01T01:01:01Z");
  CHECK(all["bots"][1]["state"] == "online");
  CHECK(all["bots"][0]["account"] == "192.0.2.7");
}

TEST_CASE("league_pages: a tournament is started, shown and cancelled") {
  scene s;
  const auto begun =
      s.ask("POST", "/arena/runs?engine=nim&games=4&format=gauntlet&bot=dash%20%5B2%5D&bot=dot");
  REQUIRE(begun.status == 202);
  CHECK(json::parse(begun.body)["run"] == 1);
  const auto now = s.get("/arena/runs/1");
  CHECK(now["format"] == "gauntlet");
  CHECK(now["games"] == 4);
  CHECK(now["ended"] == 0);
  CHECK(now["table"].size() == 2);
  CHECK(now["state"] == "active");
  CHECK(s.get("/arena/runs")["runs"].size() == 1);
  CHECK(s.ask("POST", "/arena/runs/1/cancel").status == 200);
  CHECK(s.ask("POST", "/arena/runs/1/cancel").status == 404);
  CHECK(s.get("/arena/runs/1")["state"] == "cancelled");
}

TEST_CASE("league_pages: a wrong request gets one sentence and changes nothing") {
  scene s;
  for (const auto& [target, status] : std::initializer_list<std::pair<const char*, int>>{
           {"/arena/runs", 400},
           {"/arena/runs?engine=nim", 409},
           {"/arena/runs?engine=nim&games=x", 400},
           {"/arena/runs?engine=nim&games=2&format=swiss", 400},
           {"/arena/runs?engine=nim&games=2&patience=-1", 400},
           {"/arena/runs?engine=nim&games=2&colour=red", 400},
           {"/arena/runs?engine=nim&games=2&bot=%zz", 400},
           {"/arena/runs?engine=chess&games=2", 409},
           {"/arena/runs/1", 405},
           {"/arena/runs/0/cancel", 404},
           {"/arena/runs/1/stop", 404},
           {"/arena", 405},
           {"/arena/else", 404}}) {
    INFO(target);
    const auto said = s.ask("POST", target);
    if (std::string_view{target} == "/arena/runs/1")
      CHECK((said.status == 405 && said.allow == "GET, HEAD"));
    else
      CHECK(said.status == status);
    CHECK(said.body.size() > 10);
  }
  CHECK(s.ask("GET", "/arena/runs/1").status == 404);
  CHECK(s.ask("DELETE", "/arena/runs").status == 405);
  CHECK(s.get("/arena/runs")["runs"].empty());
}

}  // namespace
}  // namespace gamehub::admin
