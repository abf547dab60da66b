// Kuhn Poker: three cards, two players, one card and one chip of ante each, one bet of a chip.
// The example of chance, which the host draws, and of hidden cards, which stay hidden after the end
// if a player folds.
#include "engines/dice.hpp"
#include "engines/plugin.hpp"

#include <array>

namespace gamehub::engines::kuhn_poker {

namespace {

// Actions of players have low numbers. Cards are numbered by rank, the jack 11, so that each number
// is unique.
constexpr action pass = 0;
constexpr action bet = 1;
constexpr action jack = 11;
constexpr action king = 13;

constexpr std::string_view word(action a) {
  constexpr std::array<std::string_view, 3> cards{"jack", "queen", "king"};
  if (a == pass) return "pass";
  if (a == bet) return "bet";
  if (a >= jack && a <= king) return cards[static_cast<std::size_t>(a - jack)];
  return "";
}

}  // namespace

class game {
 public:
  static constexpr description about{.id = "kuhn-poker",
                                     .title = "Kuhn Poker",
                                     .perfect_information = false,
                                     .has_chance = true,
                                     .actions_max = 3,
                                     .plies_max = 5};
  static constexpr face_description face{
      .blurb = "Three cards, one bet, a straight face.",
      .rules = {"The deck has three cards: jack, queen and king; the king is the highest. Each "
                "player pays one chip into the pot and gets one card, which only that player sees.",
                "The first player passes or bets one chip. Then the second player does. After a "
                "pass and a bet the first player acts once more.",
                "A player who passes after a bet folds: the other one wins the pot, and no card is "
                "shown. After two passes, or two bets, both show their cards and the higher one "
                "wins the pot."},
      .actions = {{"pass", "Pass"},
                  {"bet", "Bet a chip"},
                  {"jack", "Jack"},
                  {"queen", "Queen"},
                  {"king", "King"}},
      .score_label = "chips",
      .icon =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
          R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
          R"(<rect x="3" y="5" width="11" height="15" rx="2"/><path d="M8.5 9l2.5 3.5L8.5 16 6 12.5z" fill="currentColor"/>)"
          R"(<circle cx="18" cy="17" r="4"/><circle cx="18" cy="17" r="1.5"/>)"
          R"(</svg>)"};

  static constexpr bool immediate = true;

  seats to_move() const noexcept {
    if (cards_[1] == 0) return only(chance);
    return ended() ? 0 : only(acts_ % 2);
  }

  void legal_actions(int seat, action_list& out) const {
    if (seat != chance) {
      out.add(pass);
      out.add(bet);
      return;
    }
    for (action card = jack; card <= king; ++card)
      if (card != cards_[0]) out.add(card);
  }

  reason apply(int seat, action a) noexcept {
    if (seat == chance) {
      if (a < jack || a > king) return reasons::out_of_bounds;
      if (a == cards_[0]) return "card-is-dealt";
      cards_[cards_[0] == 0 ? 0 : 1] = static_cast<std::uint8_t>(a);
      return nullptr;
    }
    if (a != pass && a != bet) return reasons::out_of_bounds;
    if (a == bet) bets_ = static_cast<std::uint8_t>(bets_ | 1U << acts_);
    ++acts_;
    return nullptr;
  }

  // A card is visible to its player, a bet to everyone.
  seats audience(int seat, action) const {
    return seat == chance ? only(cards_[0] == 0 ? 0 : 1) : everyone;
  }

  void scores(std::span<double> out) const {
    const int stake = has_bet(0) && has_bet(1) ? 2 : 1;
    out[0] = winner() == 0 ? stake : -stake;
    out[1] = -out[0];
  }

  // The chips that each player has won, or has paid so far.
  void score(std::span<double> out) const {
    if (to_move() == 0) return scores(out);
    for (int seat = 0; seat < 2; ++seat)
      out[static_cast<std::size_t>(seat)] = has_bet(seat) ? -2 : -1;
  }

  void summary(writer& out) const {
    out << "The pot has " << 2 + has_bet(0) + has_bet(1) << " chips.";
  }

  reason from_text(int, std::string_view text, action& out) const {
    for (const action a : {pass, bet, jack, jack + 1, king}) {
      if (text != word(a)) continue;
      out = a;
      return nullptr;
    }
    return reasons::malformed;
  }

  void to_text(action a, writer& out) const { out << word(a); }

  // The cards that the viewer may know, the actions, the chips in the pot, and the winner.
  void view(int viewer, writer& out) const {
    out << R"({"cards":[)";
    for (int seat = 0; seat < 2; ++seat) {
      if (seat > 0) out << ',';
      const action card = cards_[static_cast<std::size_t>(seat)];
      if (card != 0 && (viewer == seat || showdown()))
        out << '"' << word(card) << '"';
      else
        out << "null";
    }
    out << R"(],"actions":[)";
    for (int act = 0; act < acts_; ++act)
      out << (act > 0 ? ",\"" : "\"") << word(bet_at(act) ? bet : pass) << '"';
    out << R"(],"pot":)" << 2 + has_bet(0) + has_bet(1) << R"(,"winner":)";
    if (to_move() == 0)
      out << winner();
    else
      out << "null";
    out << '}';
  }

  // At the level perfect an equilibrium of the game: no other play wins more than a chip in 18
  // games from it. At the level medium every second action is random.
  reason choose(int seat, const play_style& style, action& out) const {
    rng dice{style.seed};
    const bool at_random =
        style.skill == level::random || (style.skill == level::medium && dice.below(2) == 0);
    if (at_random)
      out = dice.below(2) == 0 ? pass : bet;
    else
      out = static_cast<int>(dice.below(3)) < thirds_of_bets(seat) ? bet : pass;
    return nullptr;
  }

  bool valid() const {
    const auto is_card = [](action a) { return a >= jack && a <= king; };
    if (cards_[0] == 0 || cards_[1] == 0)
      return (cards_[0] == 0 || is_card(cards_[0])) && cards_[1] == 0 && acts_ == 0 && bets_ == 0;
    if (!is_card(cards_[0]) || !is_card(cards_[1]) || cards_[0] == cards_[1]) return false;
    // A third action follows only pass and bet.
    return acts_ <= 3 && bets_ < 1U << acts_ && (acts_ < 3 || (bets_ & 3U) == 2);
  }

 private:
  bool bet_at(int act) const { return (bets_ >> act & 1U) != 0; }
  // The first player acts first and, after a pass and a bet, third.
  bool has_bet(int seat) const { return seat == 0 ? bet_at(0) || bet_at(2) : bet_at(1); }

  // How often of three times the equilibrium bets.
  int thirds_of_bets(int seat) const {
    const action card = cards_[static_cast<std::size_t>(seat)];
    const bool is_answer = acts_ == 2 || (acts_ == 1 && bet_at(0));
    if (card == king) return 3;
    // The jack bluffs; the queen waits, and answers a bet, more often after its own pass.
    if (card == jack) return is_answer ? 0 : 1;
    return is_answer ? acts_ : 0;
  }

  // Over after two actions, unless the second is a bet that is still open.
  bool ended() const { return acts_ == 3 || (acts_ == 2 && (bet_at(0) || !bet_at(1))); }

  bool showdown() const { return cards_[1] != 0 && ended() && has_bet(0) == has_bet(1); }

  int winner() const {
    if (has_bet(0) != has_bet(1)) return has_bet(0) ? 0 : 1;
    return cards_[0] > cards_[1] ? 0 : 1;
  }

  std::array<std::uint8_t, 2> cards_{};  // 0: not dealt.
  std::uint8_t acts_ = 0;                // How many of the players' actions were taken.
  std::uint8_t bets_ = 0;                // Bit i: the action i was a bet.
};

}  // namespace gamehub::engines::kuhn_poker

GAMEHUB_ENGINE(gamehub::engines::kuhn_poker::game);
