#include "tools/bot/boards.hpp"

#include "hub/base/random.hpp"

#include <bit>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::tools::bot {
namespace {

constexpr std::size_t boards_max = 8;
// Longer games are cut off.
constexpr int plies_max = 2'000;
constexpr int games_max = 20;

engines::host::match begin(const engines::host::engine& rules, int players) {
  auto made = rules.create({}, players);
  if (const auto* why = std::get_if<std::string>(&made)) throw engines::host::engine_failure{*why};
  return std::get<engines::host::match>(std::move(made));
}

asked_board board_at(const engines::host::match& m, int seat, int moves) {
  asked_board out{m.clone(), seat, {}, moves};
  m.glyphs(seat, out.cells);
  if (out.cells.empty()) m.view_json(seat, out.document);
  return out;
}

// Plays a random game to its end, and passes each board to `show`.
template <class Show>
void play(const engines::host::engine& rules, int players, base::random_source& luck, Show show) {
  auto m = begin(rules, players);
  std::vector<engines::action> actions;
  std::vector<std::uint32_t> weights;
  int moves = 0;
  for (int plies = 0; !m.over() && plies < plies_max; ++plies) {
    auto seat = engines::chance;
    if (m.at_chance()) {
      m.chance_outcomes(actions, weights);
    } else {
      seat = std::countr_zero(m.to_move());
      m.legal_actions(seat, actions);
      show(m, seat, moves++, actions.size());
    }
    if (actions.empty()) return;
    m.apply(seat, actions[static_cast<std::size_t>(luck.below(actions.size()))]);
  }
}

}  // namespace

std::vector<asked_board> boards_of(const engines::host::engine& rules, std::uint64_t seed,
                                   int players) {
  base::seeded_entropy luck{seed};
  std::vector<asked_board> out;
  std::optional<asked_board> last_move;
  for (int game = 0; game < games_max && (game == 0 || !last_move); ++game)
    play(rules, players, luck,
         [&](const engines::host::match& m, int seat, int moves, std::size_t choices) {
           const bool early = moves < 2 || moves % 3 == 0;
           if (game == 0 && early && out.size() + 1 < boards_max)
             out.push_back(board_at(m, seat, moves));
           if (choices == 1) last_move = board_at(m, seat, moves);
         });
  if (last_move) out.push_back(*std::move(last_move));
  return out;
}

std::string actions_of(const asked_board& board) {
  std::vector<engines::action> legal;
  board.at.legal_actions(board.seat, legal);
  std::string out = "[";
  for (const auto a : legal) {
    if (out.size() > 1) out += ',';
    out += board.at.to_json(a);
  }
  return out += ']';
}

std::string why_no_move(const asked_board& board, const gamehub::move& what) {
  if (what.as == move::form::cell) return why_no_move(board, what.cell);
  const auto read = board.at.from_json(board.seat, what.text);
  auto copy = board.at.clone();
  const char* why = read.reason != nullptr ? read.reason : copy.apply(board.seat, read.value);
  if (why == nullptr) return {};
  return "You played an invalid move (" + std::string{why} + ").";
}

std::string why_no_move(const asked_board& board, std::int64_t cell) {
  const auto place = std::to_string(cell);
  const auto read = board.at.at_cell(board.seat, cell);
  auto copy = board.at.clone();
  const char* why = read.reason != nullptr ? read.reason : copy.apply(board.seat, read.value);
  if (why == nullptr) return {};
  const std::string_view word = why;
  if (word == "out-of-bounds" || word == "malformed")
    return "The board has no position " + place + ".";
  if (word == "space-not-empty")
    return "You played an invalid move: position " + place + " is taken.";
  return "You played an invalid move: position " + place + " can't be played now (" +
         std::string{word} + ").";
}

}  // namespace gamehub::tools::bot
