#include "engines/contract/information_leak_check.hpp"

#include "engines/contract/random_game.hpp"

#include <bit>
#include <cmath>
#include <utility>
#include <variant>

namespace gamehub::engines::contract {

namespace {

constexpr std::string_view leaks = "a view shows what its viewer may not know";

}  // namespace

std::string name_of(int seat) {
  if (seat == chance) return "chance";
  return seat == spectator ? "a spectator" : "seat " + std::to_string(seat);
}

std::vector<int> viewers(const host::match& m) {
  std::vector<int> out{spectator};
  for (int seat = 0; seat < m.players(); ++seat) out.push_back(seat);
  return out;
}

std::string view_for(const host::match& m, int viewer) {
  std::string out;
  std::string glyphs;
  m.view_json(viewer, out);
  m.glyphs(viewer, glyphs);
  if (!glyphs.empty()) out += ", board " + glyphs;
  // Both are for everyone, so they may depend only on what everyone knows.
  std::vector<double> score;
  m.score(score);
  if (!score.empty()) out += ", score";
  for (const double each : score) out += std::isnan(each) ? " none" : ' ' + std::to_string(each);
  std::string summary;
  m.summary(summary);
  if (!summary.empty()) out += ", summary " + summary;
  const auto to_move = m.to_move();
  out += to_move == 0 ? ", over" : ", to move";
  for (int seat = 0; seat <= chance; ++seat)
    if (holds(to_move, seat)) out += seat == chance ? " chance" : ' ' + std::to_string(seat);
  std::vector<action> legal;
  if (viewer != spectator) m.legal_actions(viewer, legal);
  if (!legal.empty()) out += ", may";
  for (const auto a : legal) out += ' ' + std::to_string(a);
  return out;
}

void information_leak_check::begin(const host::match& m, std::uint64_t seed,
                                   const game_setup& with) {
  knowledge_.clear();
  hidden_this_turn_.clear();
  trusted_ = true;
  seed_ = seed;
  plies_ = 0;
  // Every viewer knows how the game was created.
  for (const int viewer : viewers(m))
    knowledge_[viewer] = with.options_json + ',' + std::to_string(m.players());
  remember(m);
}

void information_leak_check::before(const host::match& m, int seat, action a) {
  const auto audience = m.audience(seat, a);
  out_.expect(audience == everyone || !rules_.perfect_information() || rules_.simultaneous(),
              "an action is secret although all information is perfect");
  check_alternatives(m, seat, a);
  const bool ends_turn = std::has_single_bit(m.to_move());
  const auto told = ' ' + std::to_string(seat) + ':' + std::to_string(a);
  for (const int viewer : viewers(m)) {
    auto& knows = knowledge_[viewer];
    auto& hidden = hidden_this_turn_[viewer];
    if (viewer == seat || (audience & only(viewer)) != 0) {
      knows += told;
    } else {
      knows += ' ' + std::to_string(seat) + ":?";
      if (seat != chance) hidden += told;
    }
    // The choices of a simultaneous turn become public when every seat has chosen.
    if (ends_turn && rules_.simultaneous()) knows += std::exchange(hidden, {});
  }
  if (reveals_midway_ && audience == everyone) trusted_ = false;
}

void information_leak_check::after(const host::match& m) {
  ++plies_;
  remember(m);
}

// The end of a game (a showdown) may reveal information.
void information_leak_check::remember(const host::match& m) {
  if (!trusted_ || m.over()) return;
  for (const int viewer : viewers(m)) {
    const auto shown = view_for(m, viewer);
    const auto [at, is_new] = seen_.emplace(std::to_string(viewer) + '|' + knowledge_[viewer],
                                            observed_history{shown, seed_, plies_});
    if (!is_new && at->second.shown != shown) report_leak(m, viewer, shown, at->second);
  }
}

void information_leak_check::report_leak(const host::match& m, int viewer, const std::string& shown,
                                         const observed_history& before) {
  std::string other = "seed " + std::to_string(before.seed);
  auto made = rules_.create(out_.now().with.options_json, m.players());
  if (auto* again = std::get_if<host::match>(&made)) {
    random_game game{std::move(*again), before.seed};
    std::vector<step> turns;
    while (turns.size() < before.plies && !game.over()) {
      turns.push_back(game.draw());
      if (game.take(turns.back()) != nullptr) break;
    }
    other += ", after " + describe(turns);
  }
  out_.leak(leaks,
            name_of(viewer) + " can't tell this game from another, but sees " + shown +
                " where it saw " + before.shown,
            before.seed, std::move(other));
}

// Checks large games, in which random play never repeats a history: another action of the seat that
// is also hidden from the viewer must give the same view. Conversely, the view must not hide an
// action that the log shows to everyone.
void information_leak_check::check_alternatives(const host::match& m, int seat, action a) {
  if (rules_.perfect_information() && !rules_.simultaneous()) return;
  std::vector<action> others;
  m.legal_actions(seat, others);
  host::match mine = m.clone();
  if (mine.apply(seat, a) != nullptr || mine.over()) return;
  for (const auto other : others) {
    host::match twin = m.clone();
    if (other == a || twin.apply(seat, other) != nullptr || twin.over()) continue;
    compare(m, mine, twin, seat, a, other);
  }
}

void information_leak_check::compare(const host::match& m, const host::match& mine,
                                     const host::match& twin, int seat, action a, action other) {
  const auto mine_known = m.audience(seat, a);
  const auto twin_known = m.audience(seat, other);
  for (const int viewer : viewers(m)) {
    if (viewer == seat) continue;
    const auto one = view_for(mine, viewer);
    const auto two = view_for(twin, viewer);
    const bool may_know_one = (mine_known & only(viewer)) != 0;
    const bool may_know_two = (twin_known & only(viewer)) != 0;
    const auto first = name_of(seat) + " does " + m.to_text(a);
    const auto second = name_of(seat) + " does " + m.to_text(other);
    if (!may_know_one && !may_know_two && one != two)
      out_.leak(leaks,
                name_of(viewer) + " may not know what " + name_of(seat) + " does, but sees " + one +
                    " if " + first + ", and " + two + " if " + second,
                seed_, "the same, but that " + second);
    if (may_know_one && may_know_two && one == two)
      out_.leak("an action is told to someone whose view hides it",
                name_of(viewer) + " is told what " + name_of(seat) + " does, but sees " + one +
                    " if " + first + " and if " + second,
                seed_, "the same, but that " + second);
  }
}

}  // namespace gamehub::engines::contract
