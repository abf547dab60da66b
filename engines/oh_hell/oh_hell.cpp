// Oh Hell for three to five players: in round n each player gets n cards, the next card is turned
// up and its suit is trump. Each player bids the number of tricks that the player will take; the
// bids of all must not add up to n, which the dealer, who bids last, has to avoid. Players must
// follow suit. Who takes exactly the tricks of the bid gets 10 points and one more for each trick.
// The example of hidden cards for more than two players.
#include "engines/dice.hpp"
#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace gamehub::engines::oh_hell {

namespace {

constexpr int players_max = 5;
constexpr int rounds_max = 7;
constexpr int points_max = 10 + rounds_max;  // in a round

// An action is a card, or 52 and a bid. Cards are ordered by suit, then by rank.
constexpr int cards = 52;
constexpr int ranks = 13;
constexpr std::string_view rank_letters = "23456789TJQKA";
constexpr std::string_view suit_letters = "CDHS";
constexpr int suit(int card) { return card / ranks; }
constexpr int rank(int card) { return card % ranks; }
constexpr int ten = 8;
constexpr int ace = 12;
constexpr std::string_view bid_word = "bid-";

// Where a card is: in the deck, in the hand of a seat (1 to 5 are seats 0 to 4), turned up, played.
constexpr std::uint8_t deck = 0;
constexpr std::uint8_t turned_up = 6;
constexpr std::uint8_t played = 7;
constexpr std::uint8_t hand_of(int seat) { return static_cast<std::uint8_t>(seat + 1); }

// Each round has the draws, the bids and the plays.
constexpr int plies(int round) {
  return players_max * round + 1 + players_max + players_max * round;
}
constexpr int plies_max = [] {
  int out = 0;
  for (int round = 1; round <= rounds_max; ++round) out += plies(round);
  return out;
}();

constexpr const char* schema =
    R"({"type":"object","properties":{)"
    R"("rounds":{"type":"integer","minimum":1,"maximum":7,"default":5}},)"
    R"("additionalProperties":false})";

template <class Array>
auto& at(Array& of, int i) {
  return of[static_cast<std::size_t>(i)];
}

template <class Array>
int sum(const Array& of) {
  return std::accumulate(of.begin(), of.end(), 0);
}

// The text of each card and bid, and the same for people.
struct action_texts {
  char card[cards][3];
  char card_words[cards][6];
  char bid[rounds_max + 1][6];
  char bid_words[rounds_max + 1][6];
};

constexpr action_texts texts = [] {
  constexpr const char* signs[] = {"\u2663", "\u2666", "\u2665", "\u2660"};  // clubs to spades
  action_texts out{};
  const auto append = [](char*& to, std::string_view text) {
    for (const char c : text) *to++ = c;
  };
  for (int card = 0; card < cards; ++card) {
    const auto letter = static_cast<std::size_t>(rank(card));
    out.card[card][0] = rank_letters[letter];
    out.card[card][1] = suit_letters[static_cast<std::size_t>(suit(card))];
    char* words = out.card_words[card];
    append(words, rank_letters[letter] == 'T' ? "10" : rank_letters.substr(letter, 1));
    append(words, signs[suit(card)]);
  }
  for (int bid = 0; bid <= rounds_max; ++bid) {
    char* text = out.bid[bid];
    append(text, bid_word);
    char* words = out.bid_words[bid];
    append(words, "Bid ");
    *text = *words = static_cast<char>('0' + bid);
  }
  return out;
}();

constexpr face_description face_of_oh_hell = [] {
  face_description out{
      .blurb = "Say how many tricks you take. Take exactly those.",
      .rules =
          {"In the first round each player gets one card, in the second round two, and so on. The "
           "next card is turned up: its suit is trump.",
           "The players bid in turn how many tricks they will take. The bids of all must not add "
           "up "
           "to the number of tricks; the dealer, who bids last, has to avoid that.",
           "Then the cards are played. The first card of a trick sets its suit, and who has that "
           "suit must play it. The highest trump wins the trick, otherwise the highest card of the "
           "suit that was led. The winner leads the next trick.",
           "A player who took exactly as many tricks as bid gets 10 points and one more for each "
           "trick. The others get nothing. The player with the most points at the end wins."},
      .score_label = "points",
      .icon = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
              R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
              R"(<rect x="4" y="4" width="10" height="14" rx="2"/>)"
              R"(<path d="M9 8l2 3-2 3-2-3z" fill="currentColor"/><path d="M16 6l4 1-3 13-8-1"/>)"
              R"(</svg>)"};
  int i = 0;
  for (int bid = 0; bid <= rounds_max; ++bid, ++i) {
    out.actions[i].action = texts.bid[bid];
    out.actions[i].words = texts.bid_words[bid];
    out.groups[0].actions[bid] = texts.bid[bid];
  }
  out.groups[0].title = "Bids";
  out.groups[1].title = "Clubs";
  out.groups[2].title = "Diamonds";
  out.groups[3].title = "Hearts";
  out.groups[4].title = "Spades";
  for (int card = 0; card < cards; ++card, ++i) {
    out.actions[i].action = texts.card[card];
    out.actions[i].words = texts.card_words[card];
    out.groups[suit(card) + 1].actions[rank(card)] = texts.card[card];
  }
  return out;
}();

}  // namespace

class game {
 public:
  static constexpr description about{.id = "oh-hell",
                                     .title = "Oh Hell",
                                     .players_min = 3,
                                     .players_max = players_max,
                                     .perfect_information = false,
                                     .has_chance = true,
                                     .actions_max = cards,
                                     .plies_max = plies_max,
                                     .options_schema = schema};
  static constexpr const face_description& face = face_of_oh_hell;
  static constexpr bool immediate = true;

  reason set_up(std::string_view options, int players) {
    rounds_ = static_cast<std::uint8_t>(json::integer_or(options, "rounds", rounds_));
    players_ = static_cast<std::uint8_t>(players);
    return nullptr;
  }
  int players() const { return players_; }

  seats to_move() const noexcept {
    if (is_over()) return 0;
    if (is_dealing()) return only(chance);
    return only(is_bidding() ? seat_after(first(), bids_made()) : player_to_play());
  }

  void legal_actions(int seat, action_list& out) const {
    const int end = seat != chance && is_bidding() ? cards + round_ + 1 : cards;
    for (int a = end > cards ? cards : 0; a < end; ++a)
      if (wrong_with(seat, a) == nullptr) out.add(a);
  }

  reason apply(int seat, action number) noexcept {
    if (const auto why = wrong_with(seat, number)) return why;
    const int a = static_cast<int>(number);
    if (seat == chance)
      deal(a);
    else if (is_bidding())
      at(bids_, seat) = static_cast<std::uint8_t>(a - cards + 1);
    else
      play(seat, a);
    return nullptr;
  }

  // A card that is dealt is visible to its player; the trump, bids and plays are visible to all.
  seats audience(int seat, action) const {
    return seat == chance && dealt_ < players_ * round_ ? only(next_to_get_a_card()) : everyone;
  }

  void scores(std::span<double> out) const {
    for (int seat = 0; seat < players_; ++seat)
      out[static_cast<std::size_t>(seat)] = at(points_, seat);
  }

  void score(std::span<double> out) const { scores(out); }

  void summary(writer& out) const {
    constexpr std::array<std::string_view, 4> suits{"clubs", "diamonds", "hearts", "spades"};
    if (is_over()) return;
    out << "Round " << round_ << " of " << rounds_;
    if (const int up = trump_card(); up < cards)
      out << ", " << suits[static_cast<std::size_t>(suit(up))] << " are trump";
    out << '.';
  }

  // "QS" is the queen of spades, "TD" the ten of diamonds; "bid-2" is a bid of two tricks.
  reason from_text(int, std::string_view text, action& out) const {
    if (text.substr(0, bid_word.size()) == bid_word) {
      if (text.size() != bid_word.size() + 1 || text.back() < '0' || text.back() > '9')
        return reasons::malformed;
      if (text.back() > '0' + rounds_max) return reasons::out_of_bounds;
      out = cards + (text.back() - '0');
      return nullptr;
    }
    if (text.size() != 2) return reasons::malformed;
    const auto r = rank_letters.find(text[0]);
    const auto s = suit_letters.find(text[1]);
    if (r == text.npos || s == text.npos) return reasons::malformed;
    out = static_cast<action>(s) * ranks + static_cast<action>(r);
    return nullptr;
  }

  void to_text(action a, writer& out) const {
    if (a >= cards)
      out << bid_word << a - cards;
    else
      out << rank_letters[static_cast<std::size_t>(rank(static_cast<int>(a)))]
          << suit_letters[static_cast<std::size_t>(suit(static_cast<int>(a)))];
  }

  // `hand` is that of the viewer. `trick` has the cards of the current trick, or of the last one
  // until the next begins, and `leader` is the seat of its first card.
  void view(int viewer, writer& out) const {
    out << R"({"round":)" << std::min(round_, rounds_) << R"(,"rounds":)" << rounds_
        << R"(,"dealer":)" << dealer() << R"(,"trump":)";
    const int up = trump_card();
    card_or_null(out, up);
    out << R"(,"hand":)";
    if (viewer == spectator) {
      out << "null";
    } else {
      list(
          out, cards, [&](int card) { return at(places_, card) == hand_of(viewer); },
          [&](int card) { card_or_null(out, card); });
    }
    out << R"(,"bids":)";
    numbers(out, [&](int seat) { return at(bids_, seat) - 1; });
    out << R"(,"tricks":)";
    numbers(out, [&](int seat) { return at(taken_, seat) + 0; });
    out << R"(,"leader":)" << leader_ << R"(,"trick":)";
    list(
        out, trick_size(), [](int) { return true; },
        [&](int i) { card_or_null(out, at(trick_, i) - 1); });
    out << R"(,"points":)";
    numbers(out, [&](int seat) { return at(points_, seat) + 0; });
    out << R"(,"winner":)";
    const auto best = std::max_element(points_.begin(), points_.end());
    if (is_over() && std::count(points_.begin(), points_.end(), *best) == 1)
      out << best - points_.begin();
    else
      out << "null";
    out << '}';
  }

  // Bids the tricks that its high cards promise. Then takes tricks with its strongest cards until
  // it has enough, and avoids the others. It knows its own hand and what is public. At the level
  // medium every second action is random.
  reason choose(int seat, const play_style& style, action& out) const {
    std::array<action, cards> all{};
    action_list list{all.data(), nullptr, all.size()};
    legal_actions(seat, list);
    const std::span legal{all.data(), list.size()};
    rng dice{style.seed};
    if (style.skill == level::random || (style.skill == level::medium && dice.below(2) == 0))
      out = legal[dice.below(legal.size())];
    else
      out = is_bidding() ? good_bid(seat, legal) : good_card(seat, legal);
    return nullptr;
  }

  bool valid() const {
    if (players_ < about.players_min || players_ > players_max || rounds_ < 1 ||
        rounds_ > rounds_max || round_ < 1 || round_ > rounds_ + 1 || leader_ >= players_)
      return false;
    for (int seat = 0; seat < players_max; ++seat) {
      if (seat >= players_ && at(bids_, seat) + at(taken_, seat) + at(points_, seat) > 0)
        return false;
      if (at(points_, seat) > points_max * (round_ - 1) || at(bids_, seat) > round_ + 1 ||
          at(taken_, seat) > round_)
        return false;
    }
    return has_valid_trick() && has_valid_places() && has_valid_bids() && has_valid_play();
  }

 private:
  using per_seat = std::array<std::uint8_t, players_max>;

  int seat_after(int seat, int steps) const { return (seat + steps) % players_; }
  int steps_from(int seat, int to) const { return (to - seat + players_) % players_; }

  int dealer() const { return (std::min(round_, rounds_) - 1) % players_; }
  int first() const { return seat_after(dealer(), 1); }
  int next_to_get_a_card() const { return seat_after(first(), dealt_); }
  bool is_over() const noexcept { return round_ > rounds_; }
  bool is_dealing() const noexcept { return !is_over() && dealt_ < players_ * round_ + 1; }
  int bids_made() const {
    return static_cast<int>(bids_.size() -
                            static_cast<std::size_t>(std::count(bids_.begin(), bids_.end(), 0)));
  }
  bool is_bidding() const { return !is_dealing() && bids_made() < players_; }

  // The cards of the trick come first.
  int trick_size() const {
    return static_cast<int>(std::find(trick_.begin(), trick_.end(), 0) - trick_.begin());
  }
  // True if the next card begins a trick.
  bool leads() const { return trick_size() == 0 || trick_size() == players_; }
  int player_to_play() const {
    if (!leads()) return seat_after(leader_, trick_size());
    return sum(taken_) == 0 ? first() : trick_winner();
  }

  int trump_card() const {
    return static_cast<int>(std::find(places_.begin(), places_.end(), turned_up) - places_.begin());
  }
  // A trump beats all other suits. Of those only the suit that was led can win.
  int strength(int card, int led) const {
    const int trump = suit(trump_card());
    return rank(card) + (suit(card) == trump ? 2 * ranks : suit(card) == led ? ranks : 0);
  }
  int led_suit() const { return suit(trick_[0] - 1); }
  int best_in_trick() const {
    int best = 0;
    for (int i = 1; i < trick_size(); ++i)
      if (strength(at(trick_, i) - 1, led_suit()) > strength(at(trick_, best) - 1, led_suit()))
        best = i;
    return best;
  }
  int trick_winner() const { return seat_after(leader_, best_in_trick()); }

  bool holds_suit(int seat, int wanted) const {
    for (int card = wanted * ranks; card < (wanted + 1) * ranks; ++card)
      if (at(places_, card) == hand_of(seat)) return true;
    return false;
  }

  // The reason why the seat, which is to move, can't take the action; or nullptr.
  reason wrong_with(int seat, action number) const {
    if (number < 0 || number > cards + rounds_max) return reasons::out_of_bounds;
    const int a = static_cast<int>(number);
    if (seat == chance) {
      if (a >= cards) return reasons::out_of_bounds;
      return at(places_, a) == deck ? nullptr : "card-is-dealt";
    }
    if (is_bidding()) {
      const int bid = a - cards;
      if (bid < 0) return "bid-first";
      if (bid > round_) return "bid-too-high";
      const bool is_last = bids_made() == players_ - 1;
      const int bid_before = sum(bids_) - bids_made();
      return is_last && bid_before + bid == round_ ? "bids-add-up" : nullptr;
    }
    if (a >= cards) return "bids-are-made";
    if (at(places_, a) != hand_of(seat)) return "not-your-card";
    return leads() || suit(a) == led_suit() || !holds_suit(seat, led_suit()) ? nullptr
                                                                             : "follow-suit";
  }

  void deal(int card) noexcept {
    at(places_, card) = dealt_ < players_ * round_ ? hand_of(next_to_get_a_card()) : turned_up;
    ++dealt_;
  }

  void play(int seat, int card) noexcept {
    if (leads()) {
      trick_ = {};
      leader_ = static_cast<std::uint8_t>(seat);
    }
    at(trick_, trick_size()) = static_cast<std::uint8_t>(card + 1);
    at(places_, card) = played;
    if (trick_size() < players_) return;
    ++at(taken_, trick_winner());
    if (sum(taken_) == round_) end_round();
  }

  void end_round() noexcept {
    for (int seat = 0; seat < players_; ++seat)
      if (at(bids_, seat) == at(taken_, seat) + 1)
        at(points_, seat) = static_cast<std::uint8_t>(at(points_, seat) + 10 + at(taken_, seat));
    places_ = {};
    bids_ = {};
    taken_ = {};
    dealt_ = 0;
    ++round_;
  }

  action good_bid(int seat, std::span<const action> legal) const {
    action wanted = cards;
    for (int card = 0; card < cards; ++card)
      if (at(places_, card) == hand_of(seat) &&
          rank(card) >= (suit(card) == suit(trump_card()) ? ten : ace))
        ++wanted;
    return std::find(legal.begin(), legal.end(), wanted) != legal.end() ? wanted
           : wanted > legal.front()                                     ? wanted - 1
                                                                        : legal.front();
  }

  action good_card(int seat, std::span<const action> legal) const {
    const bool wants = at(taken_, seat) + 1 < at(bids_, seat);
    const auto weaker = [&](action a, action b) {
      const auto of = [&](action card) {
        const int c = static_cast<int>(card);
        return strength(c, leads() ? suit(c) : led_suit());
      };
      return of(a) < of(b);
    };
    const auto [weakest, strongest] = std::minmax_element(legal.begin(), legal.end(), weaker);
    if (leads()) return wants ? *strongest : *weakest;
    const action best = at(trick_, best_in_trick()) - 1;
    if (wants) return weaker(best, *strongest) ? *strongest : *weakest;
    // The strongest card that does not take the trick.
    action out = *weakest;
    for (const action a : legal)
      if (weaker(a, best) && weaker(out, a)) out = a;
    return out;
  }

  bool has_valid_trick() const {
    for (int i = 0; i < players_max; ++i) {
      const int card = at(trick_, i);
      if (card > cards || (card != 0 && i >= std::min<int>(trick_size(), players_))) return false;
      if (card != 0 && std::count(trick_.begin(), trick_.end(), card) != 1) return false;
    }
    return true;
  }

  // The cards are where they were dealt or played to.
  bool has_valid_places() const {
    if (is_over() ? dealt_ != 0 : dealt_ > players_ * round_ + 1) return false;
    if (cards - std::count(places_.begin(), places_.end(), deck) != dealt_) return false;
    const auto count = [&](std::uint8_t place) {
      return static_cast<int>(std::count(places_.begin(), places_.end(), place));
    };
    const int ups = !is_over() && !is_dealing() ? 1 : 0;
    if (count(turned_up) != ups || *std::max_element(places_.begin(), places_.end()) > played)
      return false;
    const int open = leads() ? 0 : trick_size();
    for (int seat = 0; seat < players_max; ++seat) {
      int wanted = 0;
      if (seat < players_ && is_dealing())
        wanted = (dealt_ + players_ - 1 - steps_from(first(), seat)) / players_;
      else if (seat < players_ && !is_over())
        wanted = round_ - sum(taken_) - (steps_from(leader_, seat) < open ? 1 : 0);
      if (count(hand_of(seat)) != wanted) return false;
    }
    return true;
  }

  // Players bid in order, and the bids do not add up.
  bool has_valid_bids() const {
    const int made = bids_made();
    if ((is_over() || is_dealing()) && made > 0) return false;
    for (int i = 0; i < made; ++i)
      if (at(bids_, seat_after(first(), i)) == 0) return false;
    return made < players_ || sum(bids_) - made != round_;
  }

  // Tricks are played only after all bids. The last trick stays until the next one begins.
  bool has_valid_play() const {
    const int tricks = sum(taken_);
    const bool plays = !is_over() && !is_dealing() && !is_bidding();
    if (!plays && tricks > 0) return false;
    if (plays && tricks >= round_) return false;
    if (leads() && (trick_size() != 0) != (round_ > 1 || tricks > 0)) return false;
    if (!leads() && (!plays || (tricks == 0 && leader_ != first()))) return false;
    // A trick of the last round is not among the cards of this one.
    if (leads() && tricks == 0) return true;
    for (int i = 0; i < trick_size(); ++i)
      if (at(places_, at(trick_, i) - 1) != played) return false;
    return true;
  }

  static void card_or_null(writer& out, int card) {
    if (card >= 0 && card < cards)
      out << '"' << rank_letters[static_cast<std::size_t>(rank(card))]
          << suit_letters[static_cast<std::size_t>(suit(card))] << '"';
    else
      out << "null";
  }

  template <class Wanted, class Each>
  static void list(writer& out, int end, Wanted wanted, Each each) {
    out << '[';
    bool is_first = true;
    for (int i = 0; i < end; ++i) {
      if (!wanted(i)) continue;
      if (!is_first) out << ',';
      is_first = false;
      each(i);
    }
    out << ']';
  }

  // A number below 0 is null.
  template <class Of>
  void numbers(writer& out, Of of) const {
    list(
        out, players_, [](int) { return true; },
        [&](int seat) {
          if (of(seat) < 0)
            out << "null";
          else
            out << of(seat);
        });
  }

  std::array<std::uint8_t, cards> places_{};
  per_seat bids_{};   // The bid + 1, or 0.
  per_seat taken_{};  // The tricks of this round.
  per_seat points_{};
  per_seat trick_{};  // The cards + 1 in the order of play, then 0.
  std::uint8_t players_ = 3;
  std::uint8_t rounds_ = 5;
  std::uint8_t round_ = 1;
  std::uint8_t leader_ = 0;  // The seat of the first card of the trick.
  std::uint8_t dealt_ = 0;   // The cards of this round that left the deck.
};

}  // namespace gamehub::engines::oh_hell

GAMEHUB_ENGINE(gamehub::engines::oh_hell::game);
