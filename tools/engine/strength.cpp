#include "tools/engine/strength.hpp"

#include "engines/dice.hpp"
#include "engines/host/draw.hpp"
#include "engines/host/observation.hpp"
#include "engines/host/search.hpp"
#include "hub/base/usage_error.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <variant>

namespace gamehub::tools::engine {

namespace {

namespace host = engines::host;
using clock = std::chrono::steady_clock;

class series {
 public:
  series(const host::engine& rules, const strength_request& asked, engines::level skill)
      : rules_(rules), asked_(asked), out_{.skill = skill} {}

  strength_row play() {
    for (int i = 0; i < asked_.games; ++i) play_game(i);
    const double mean = sum_ / asked_.games;
    const double variance = std::max(0.0, squares_ / asked_.games - mean * mean);
    out_.margin = mean;
    out_.error = 1.96 * std::sqrt(variance / asked_.games);
    const std::chrono::duration<double, std::milli> took = spent_;
    out_.milliseconds = actions_ == 0 ? 0 : took.count() / actions_;
    return out_;
  }

 private:
  void play_game(int number) {
    engines::rng dice{asked_.seed + static_cast<std::uint64_t>(number)};
    auto made = rules_.create(asked_.options, asked_.players);
    if (const auto* why = std::get_if<std::string>(&made))
      throw base::usage_error{std::string{rules_.id()} +
                              " refuses the options or the number of players: " + *why +
                              "; ask for others"};
    auto& m = std::get<host::match>(made);
    const int seat = number % m.players();
    played_ = {asked_.options, asked_.players, {}};
    for (auto moving = m.to_move(); moving != 0; moving = m.to_move()) {
      const int mover = std::countr_zero(moving);
      const auto a = mover == engines::chance ? draws_.draw(m, dice)
                     : mover == seat          ? chosen(m, seat, dice.next())
                                              : host::random_action(m, mover, dice.next());
      if (m.apply(mover, a) != nullptr)
        throw host::engine_failure{"a legal action was refused", "apply"};
      played_.plies.push_back({mover, a});
    }
    count(m, seat);
  }

  engines::action chosen(const host::match& m, int seat, std::uint64_t seed) {
    const std::chrono::milliseconds budget{asked_.milliseconds};
    const auto begin = clock::now();
    const auto a = host::choose_action(
        rules_, m, seat, {out_.skill, seed, budget},
        [&, playouts = asked_.playouts]() mutable {
          return asked_.playouts != 0 ? --playouts < 0 : clock::now() - begin >= budget;
        },
        &played_);
    spent_ += clock::now() - begin;
    ++actions_;
    return a;
  }

  void count(const host::match& m, int seat) {
    std::vector<double> scores(static_cast<std::size_t>(m.players()));
    m.scores(scores);
    const auto own = scores[static_cast<std::size_t>(seat)];
    scores.erase(scores.begin() + seat);
    ++out_.games;
    if (scores.empty()) return;
    const auto best = *std::max_element(scores.begin(), scores.end());
    out_.won += own > best;
    out_.lost += own < best;
    const auto margin = own - std::accumulate(scores.begin(), scores.end(), 0.0) /
                                  static_cast<double>(scores.size());
    sum_ += margin;
    squares_ += margin * margin;
  }

  const host::engine& rules_;
  const strength_request& asked_;
  strength_row out_;
  double sum_ = 0;
  double squares_ = 0;
  clock::duration spent_{0};
  int actions_ = 0;
  host::draw_source draws_;
  host::played_game played_;
};

std::string line_of(const strength_row& row) {
  char out[128];
  std::snprintf(out, sizeof out, "  %-10s %7d %7d %7d %7d %9.2f ± %-6.2f %9.2f\n",
                std::string{engines::to_string(row.skill)}.c_str(), row.games, row.won, row.drawn(),
                row.lost, row.margin, row.error, row.milliseconds);
  return out;
}

}  // namespace

strength_row measure_strength(const host::engine& rules, const strength_request& asked,
                              engines::level skill) {
  return series{rules, asked, skill}.play();
}

std::string strength_table(const host::engine& rules, const strength_request& asked) {
  std::string out = std::string{rules.id()} + ' ' + rules.version_text();
  const auto levels = host::levels_of(rules);
  if (levels.size() == 1)
    return out +
           " plays at random only: it has no engine player, and the search plays no game with "
           "secrets of more than " +
           std::to_string(host::played_plies_max) + " actions\n";
  out +=
      " against random play\n\n  level        games     won   drawn    lost    margin          "
      "  ms/action\n";
  std::string weak;
  for (const auto skill : levels) {
    if (skill == engines::level::random) continue;
    const auto row = measure_strength(rules, asked, skill);
    out += line_of(row);
    if (!row.better_than_random())
      weak += "  the level " + std::string{engines::to_string(skill)} +
              " is not better than random play\n";
  }
  return out + (weak.empty() ? "" : '\n' + weak);
}

}  // namespace gamehub::tools::engine
