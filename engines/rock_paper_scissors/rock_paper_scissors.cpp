// Rock-Paper-Scissors, one round. The example of a simultaneous turn: both players choose, in
// any order, and neither sees the other choice before both have chosen.
#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <array>

namespace gamehub::engines::rock_paper_scissors {

namespace {

// The action is the index in this list. Each beats the one before it, and the first beats the last.
constexpr std::array<std::string_view, 3> words{"rock", "paper", "scissors"};
constexpr std::uint8_t nothing_yet = 3;

}  // namespace

class game {
 public:
  static constexpr description about{.id = "rock-paper-scissors",
                                     .title = "Rock-Paper-Scissors",
                                     .perfect_information = false,
                                     .simultaneous = true,
                                     .actions_max = 3,
                                     .plies_max = 2};

  static constexpr face_description face{
      .blurb = "Both choose at once.",
      .rules = {"Both players choose rock, paper or scissors. Neither sees the other choice before "
                "both have chosen.",
                "Rock beats scissors, scissors beat paper, paper beats rock. Two equal choices are "
                "a draw. One round is the game."},
      .actions = {{"rock", "Rock"}, {"paper", "Paper"}, {"scissors", "Scissors"}},
      .icon =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
          R"(fill="none" stroke="currentColor" stroke-width="1.5">)"
          R"(<path d="M2 9l2-3h4l2 3-1 4H3z" fill="currentColor"/>)"
          R"(<rect x="14" y="4" width="7" height="10"/><path d="M16 7h3M16 10h3"/>)"
          R"(<path d="M8 15l7 5M15 15l-7 5"/><circle cx="17" cy="21" r="1.5"/><circle cx="6" cy="21" r="1.5"/>)"
          R"(</svg>)"};

  seats to_move() const noexcept {
    return (has_chosen(0) ? 0 : only(0)) | (has_chosen(1) ? 0 : only(1));
  }

  void legal_actions(int, action_list& out) const {
    for (action a = 0; a < 3; ++a) out.add(a);
  }

  reason apply(int seat, action a) noexcept {
    if (a < 0 || a >= 3) return reasons::out_of_bounds;
    choices_[static_cast<std::size_t>(seat)] = static_cast<std::uint8_t>(a);
    return nullptr;
  }

  // The first choice stays secret; the second ends the round and reveals both.
  seats audience(int seat, action) const { return has_chosen(1 - seat) ? everyone : only(seat); }

  void scores(std::span<double> out) const {
    const int lead = (choices_[0] - choices_[1] + 3) % 3;
    out[0] = lead == 1 ? 1 : lead == 2 ? -1 : 0;
    out[1] = -out[0];
  }

  reason from_text(int, std::string_view text, action& out) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (text != words[i]) continue;
      out = static_cast<action>(i);
      return nullptr;
    }
    return reasons::malformed;
  }

  void to_text(action a, writer& out) const { out << words.at(static_cast<std::size_t>(a)); }

  reason from_json(int, std::string_view text, action& out) const {
    const auto choice = json::member(text, "choice");
    if (!choice || choice->what != json::kind::string) return reasons::malformed;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!json::says(choice->spelled, words[i])) continue;
      out = static_cast<action>(i);
      return nullptr;
    }
    return reasons::malformed;
  }

  void to_json(action a, writer& out) const {
    out << R"({"type":"move","choice":")" << words.at(static_cast<std::size_t>(a)) << R"("})";
  }

  // The winner is a seat; null while the round runs and after a draw.
  void view(int viewer, writer& out) const {
    const bool shown = to_move() == 0;
    out << R"({"choices":[)";
    for (int seat = 0; seat < 2; ++seat) {
      if (seat > 0) out << ',';
      if (has_chosen(seat) && (shown || viewer == seat))
        out << '"' << words[choices_[static_cast<std::size_t>(seat)]] << '"';
      else
        out << "null";
    }
    out << R"(],"chosen":[)" << has_chosen(0) << ',' << has_chosen(1) << R"(],"winner":)";
    const int lead = (choices_[0] - choices_[1] + 3) % 3;
    if (shown && lead != 0)
      out << lead - 1;
    else
      out << "null";
    out << '}';
  }

  bool valid() const { return choices_[0] <= nothing_yet && choices_[1] <= nothing_yet; }

 private:
  bool has_chosen(int seat) const { return choices_[static_cast<std::size_t>(seat)] < nothing_yet; }

  std::array<std::uint8_t, 2> choices_{nothing_yet, nothing_yet};
};

}  // namespace gamehub::engines::rock_paper_scissors

GAMEHUB_ENGINE(gamehub::engines::rock_paper_scissors::game);
