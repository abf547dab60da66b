#include "engines/contract/playthrough.hpp"

#include "engines/contract/information_leak_check.hpp"
#include "engines/dice.hpp"

#include <cmath>
#include <sstream>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {

namespace {

void show(const host::match& m, std::ostream& out) {
  std::string text;
  const auto board = m.cells();
  m.glyphs(engines::spectator, text);
  for (int row = 0; row < board.rows; ++row)
    out << "    "
        << std::string_view{text}.substr(static_cast<std::size_t>(row * board.columns),
                                         static_cast<std::size_t>(board.columns))
        << '\n';
  std::string public_view;
  m.view_json(engines::spectator, public_view);
  out << "  spectators see " << public_view << '\n';
  std::vector<double> score;
  m.score(score);
  if (!score.empty()) out << "  score";
  for (const double each : score)
    if (std::isnan(each))
      out << " none";
    else
      out << ' ' << each;
  if (!score.empty()) out << '\n';
  m.summary(text);
  if (!text.empty()) out << "  summary " << text << '\n';
  for (int seat = 0; seat < m.players(); ++seat) {
    m.view_json(seat, text);
    if (text != public_view) out << "  " << name_of(seat) << " sees " << text << '\n';
  }
}

}  // namespace

std::string playthrough(const host::engine& rules, std::uint64_t seed,
                        std::string_view options_json, int players) {
  std::ostringstream out;
  out << rules.title() << " (" << rules.id() << ' ' << rules.version_text()
      << "), played at random, seed " << seed << '\n';
  if (!options_json.empty()) out << "options " << options_json << '\n';
  auto made = rules.create(options_json, players);
  auto& m = std::get<host::match>(made);
  rng d{seed};
  for (int ply = 0; !m.over(); ++ply) {
    out << "\nply " << ply << '\n';
    show(m, out);
    std::vector<int> movers;
    std::vector<action> legal;
    for (int seat = 0; seat <= chance; ++seat) {
      if (!holds(m.to_move(), seat)) continue;
      movers.push_back(seat);
      m.legal_actions(seat, legal);
      out << "  " << name_of(seat) << " may";
      for (const auto a : legal) out << ' ' << m.to_text(a);
      out << '\n';
    }
    const int seat = d.one_of(movers);
    m.legal_actions(seat, legal);
    const auto a = d.one_of(legal);
    out << "> " << name_of(seat) << ' ' << m.to_json(a)
        << (m.audience(seat, a) == engines::everyone ? "" : " (secret)") << '\n';
    m.apply(seat, a);
  }
  out << "\nover\n";
  show(m, out);
  std::vector<double> scores(static_cast<std::size_t>(m.players()));
  m.scores(scores);
  out << "  scores";
  for (const double s : scores) out << ' ' << s;
  out << '\n';
  return out.str();
}

}  // namespace gamehub::engines::contract
