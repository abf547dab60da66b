#include "hub/league/recompute.hpp"

#include "tests/support/catch.hpp"

namespace gamehub::league {
namespace {

using kind = journal::record::kind;

// A journal that has these games.
class some_games final : public journal::archive {
 public:
  explicit some_games(std::vector<journal::archived_game> all) : all_(std::move(all)) {}

  void for_each(std::span<const game_id>,
                const std::function<bool(journal::archived_game&)>& take) override {
    for (auto& each : all_)
      if (!take(each)) return;
  }
  journal::archive_totals totals() override { return {}; }
  std::optional<std::string> damage() override { return {}; }
  void backup(const std::filesystem::path&, const std::function<void(double)>&) override {}
  forgotten forget_player(player_id) override { return {}; }
  forgotten forget_name(const std::string&) override { return {}; }

 private:
  std::vector<journal::archived_game> all_;
};

journal::archived_game game(std::uint64_t id, const std::string& x, const std::string& o,
                            int winner, std::int64_t ended, end_reason why = end_reason::rules) {
  journal::archived_game out;
  out.header.id = game_id{id};
  out.header.engine = "nim";
  for (const auto& [seat, name] : {std::pair{0, x}, {1, o}}) {
    journal::record r;
    r.what = kind::joined;
    r.seat = static_cast<std::int16_t>(seat);
    r.text = name;
    r.wire = name == "person" ? "http" : "jsonrpc";
    out.records.push_back(r);
  }
  journal::record end;
  end.what = kind::ended;
  end.why = why;
  end.seat = static_cast<std::int16_t>(winner);
  end.at = base::wall_time{std::chrono::milliseconds{ended}};
  out.records.push_back(end);
  return out;
}

std::vector<bot_record> bots() {
  std::vector<bot_record> out(2);
  out[0].id = bot_id{1};
  out[0].name = "dot";
  out[1].id = bot_id{2};
  out[1].name = "dash";
  return out;
}

TEST_CASE("recompute: rates what bots played against each other, in the order of the ends") {
  some_games log{{game(1, "dot", "dash", 0, 3'000), game(2, "dash", "dot", -1, 1'000),
                  game(3, "dot", "person", 0, 4'000), game(4, "dot", "gone", 0, 5'000),
                  game(5, "dot", "dash", -1, 6'000, end_reason::interrupted)}};
  const auto got = recompute(log, bots());
  CHECK(got.games == 2);
  CHECK(got.unknown == 1);
  REQUIRE(got.ratings.size() == 2);

  rating_book same;
  const std::array dash_and_dot{bot_id{2}, bot_id{1}};
  same.add("nim", dash_and_dot, {}, base::wall_time{std::chrono::milliseconds{1'000}});
  const auto last =
      same.add("nim", {bot_id{1}, bot_id{2}}, 0, base::wall_time{std::chrono::milliseconds{3'000}});
  CHECK(got.ratings[0].now.rating == last[0].now.rating);
  CHECK(got.ratings[1].now.deviation == last[1].now.deviation);
  CHECK(got.ratings[0].draws == 1);
  CHECK(got.ratings[0].wins == 1);
}

TEST_CASE("recompute: games of a removed bot do not count for the next one of its name") {
  some_games log{{game(1, "dot", "dash", 0, 3'000), game(2, "dot", "dash", 0, 5'000)}};
  auto all = bots();
  all[0].since = base::wall_time{std::chrono::milliseconds{4'000}};
  const auto got = recompute(log, all);
  CHECK(got.games == 1);
  CHECK(got.unknown == 1);
}

}  // namespace
}  // namespace gamehub::league
