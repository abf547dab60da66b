// Logs as games leave them, made by playing through an engine, and a journal's archive that has
// such games in memory. Plain values; one thread.
#pragma once

#include "engines/host/registry.hpp"
#include "hub/journal/archive.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace gamehub::tests {

// 2026-01-02T03:04:05.678Z
inline constexpr base::wall_time logged_at{std::chrono::milliseconds{1'767'323'045'678}};

// Of players 1 and 2, who take turns; ended by the rules if the actions lead there, else open.
inline journal::archived_game logged_game(std::uint64_t number, const std::string& engine_id,
                                          std::initializer_list<std::int64_t> actions) {
  using journal::record;
  const auto registry = engines::host::registry::built_in();
  const auto engine = registry.find(engine_id).value();
  auto created = engine.create("");
  auto& match = std::get<engines::host::match>(created);
  journal::archived_game out;
  out.header = {game_id{number}, engine_id, engine.version_text(), "", logged_at};
  out.state = journal::game_state::open;
  const auto add = [&](record::kind what, int seat, std::int64_t action) -> record& {
    auto& r = out.records.emplace_back();
    r.number = out.records.size();
    r.at = logged_at;
    r.what = what;
    r.seat = static_cast<std::int16_t>(seat);
    r.action = action;
    return r;
  };
  add(record::kind::opened, -1, 0).state = match.hash();
  add(record::kind::joined, 0, 1).text = "ann";
  add(record::kind::joined, 1, 2).text = "bob";
  for (auto& each : out.records)
    if (each.what == record::kind::joined) each.wire = "turns", each.secret = "a digest";
  for (int seat = 0; const auto action : actions) {
    if (match.apply(seat, action) != nullptr) throw std::logic_error{"such a game can't be logged"};
    add(record::kind::moved, seat, action).state = match.hash();
    seat = 1 - seat;
  }
  if (!match.over()) return out;
  double scores[2] = {0, 0};
  match.scores(scores);
  add(record::kind::ended, scores[0] == scores[1] ? -1 : scores[0] > scores[1] ? 0 : 1, 0);
  out.state = journal::game_state::ended;
  return out;
}

// X takes the first row.
inline journal::archived_game won_game(std::uint64_t number) {
  return logged_game(number, "tictactoe", {0, 3, 1, 4, 2});
}

class archive_in_memory final : public journal::archive {
 public:
  explicit archive_in_memory(std::vector<journal::archived_game> games)
      : games_(std::move(games)) {}

  void for_each(std::span<const game_id> asked,
                const std::function<bool(journal::archived_game&)>& take) override {
    for (auto& each : games_) {
      const auto wanted =
          asked.empty() || std::find(asked.begin(), asked.end(), each.header.id) != asked.end();
      if (wanted && !take(each)) return;
    }
  }
  journal::archive_totals totals() override { return {}; }
  std::optional<std::string> damage() override { return damage_; }
  void backup(const std::filesystem::path&, const std::function<void(double)>&) override {}
  forgotten forget_player(player_id) override { return {}; }
  forgotten forget_name(const std::string&) override { return {}; }

  std::optional<std::string> damage_;

 private:
  std::vector<journal::archived_game> games_;
};

}  // namespace gamehub::tests
