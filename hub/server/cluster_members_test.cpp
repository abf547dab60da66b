#include "hub/server/cluster_members.hpp"

#include "tests/journal/fake_log.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_hub.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace gamehub;
using namespace gamehub::server;
using namespace std::chrono_literals;

namespace {

struct heartbeats {
  cluster::member_row row;
  bool away = false;
};

// The heartbeats of one member alone.
class lone_table final : public cluster::member_table {
 public:
  explicit lone_table(heartbeats& of) : of_(of) {}

  std::vector<cluster::member_row> beat(std::uint64_t,
                                        const std::set<std::string>& engines) override {
    if (of_.away) throw std::runtime_error{"no database"};
    ++of_.row.beats;
    of_.row.engines = engines;
    return {of_.row};
  }
  void leave() override { of_.row.left = true; }

 private:
  heartbeats& of_;
};

struct unused_listener final : actors::system::recovery_listener {
  void on_progress(std::size_t, std::size_t) override {}
  void on_quarantined(game_id, const std::string&) override {}
};

journal::writer_tuning by_hand() {
  journal::writer_tuning t;
  t.now = [] { return base::wall_time{}; };
  t.steady_now = [] { return base::instant{}; };
  t.by_hand = true;
  return t;
}

struct scene {
  scene() {
    journal.log().step();  // the first ids
    shown.row.id = journal.self();
    shown.row.sanctions = 7;
    tests::test_hub_options o;
    o.log = &journal.log();
    hub = std::make_unique<tests::test_hub>(std::move(o));
    members = std::make_unique<cluster_members>(journal, std::make_unique<lone_table>(shown),
                                                hub->runtime().directory());
    members->on_sanctions([this](auto changes) { sanctions.push_back(changes); });
    members->on_members([this](const auto& rows) { rows_seen.push_back(rows.size()); });
  }
  void beat() {
    now += 250ms;
    CHECK(members->membership().step(now, [this] { return now; }));
  }

  tests::fake_database database;
  cluster_journal journal{std::make_unique<tests::fake_log>(database), by_hand()};
  std::unique_ptr<tests::test_hub> hub;
  heartbeats shown;
  std::vector<std::optional<std::uint64_t>> sanctions;
  std::vector<std::size_t> rows_seen;
  base::instant now{1h};
  unused_listener listener;
  std::unique_ptr<cluster_members> members;
};

}  // namespace

TEST_CASE("cluster members: what heartbeats read is passed on once the hub can have games") {
  scene s;
  s.beat();
  CHECK(s.shown.row.beats == 1);
  CHECK_FALSE(s.shown.row.engines.empty());
  CHECK(s.sanctions.empty());
  CHECK(s.rows_seen.empty());
  s.members->start_adopting(s.hub->runtime(), s.listener);
  s.beat();
  CHECK(s.sanctions == std::vector<std::optional<std::uint64_t>>{7});
  CHECK(s.rows_seen == std::vector<std::size_t>{1});
}

TEST_CASE("cluster members: bans are read again if heartbeats have failed, also during the start") {
  scene s;
  const auto fail_once = [&] {
    s.shown.away = true;
    s.beat();
    s.shown.away = false;
  };
  fail_once();
  s.beat();
  s.members->start_adopting(s.hub->runtime(), s.listener);
  s.beat();
  CHECK(s.sanctions == std::vector<std::optional<std::uint64_t>>{std::nullopt, 7});
  fail_once();
  s.beat();
  s.beat();
  CHECK(s.sanctions ==
        std::vector<std::optional<std::uint64_t>>{std::nullopt, 7, std::nullopt, 7, 7});
}
