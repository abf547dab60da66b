#include "tools/engine/play.hpp"

#include "engines/dice.hpp"
#include "engines/host/draw.hpp"
#include "engines/host/observation.hpp"
#include "engines/host/search.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/option.hpp"
#include "tools/engine/open_engine.hpp"
#include "tools/engine/play_text.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <istream>
#include <numeric>
#include <ostream>
#include <utility>

namespace gamehub::tools::engine {
namespace {

using engines::action;
using engines::host::engine_failure;
using engines::host::match;

// Time of an engine player for a move.
constexpr std::chrono::seconds think_time{2};
// Clears the screen of a terminal.
constexpr std::string_view clear_screen = "\x1b[2J\x1b[H";
// So that a game's chance does not depend on how often its engine players chose.
constexpr std::uint64_t chance_seed = 0x6368'616e'6365;

class game {
 public:
  game(const engines::host::engine& rules, const play_request& with, std::istream& in,
       std::ostream& out, bool terminal)
      : rules_(rules),
        with_(with),
        in_(in),
        out_(out),
        terminal_(terminal),
        labels_(rules),
        skill_(level_for(rules, with.skill)),
        state_(begin_match(rules, with.options, with.players)),
        persons_(with.persons),
        chance_(with.seed ^ chance_seed),
        played_{with.options, with.players, {}} {
    if (with.all_persons) {
      persons_.resize(static_cast<std::size_t>(state_.players()));
      std::iota(persons_.begin(), persons_.end(), 0);
    }
    for (const int seat : persons_)
      if (seat >= state_.players())
        throw base::usage_error{"--seat is " + std::to_string(seat + 1) + ", and the game has " +
                                std::to_string(state_.players()) +
                                " players: give a smaller number"};
  }

  void run() {
    greet();
    while (!ended_ && !state_.over()) {
      if (played_.plies.size() > rules_.plies_max())
        throw engine_failure{"the game does not end within its plies_max", "to_move"};
      const auto movers = state_.to_move();
      if (state_.at_chance()) {
        draw();
        continue;
      }
      const auto person = std::find_if(persons_.begin(), persons_.end(),
                                       [&](int seat) { return engines::holds(movers, seat); });
      if (person != persons_.end())
        ask(*person);
      else
        reply(std::countr_zero(movers));
    }
    if (ended_) return;
    out_ << '\n' << position_text(rules_, state_, viewer()) << result_text(state_, labels_);
  }

 private:
  bool is_person(int seat) const {
    return std::find(persons_.begin(), persons_.end(), seat) != persons_.end();
  }
  // Who sees what is shown between the turns of persons.
  int viewer() const { return persons_.size() == 1 ? persons_.front() : engines::spectator; }

  void greet() {
    out_ << terminal_text(rules_.title()) << ' ' << rules_.version_text() << '\n';
    for (int seat = 0; seat < state_.players(); ++seat)
      out_ << labels_.seat(seat) << ": "
           << (is_person(seat) ? persons_.size() == 1 ? "you" : "a person"
                               : "engine (" + std::string{engines::to_string(skill_)} + ")")
           << '\n';
    if (!persons_.empty()) out_ << "help lists the commands\n";
  }

  void take(int seat, action a) {
    if (const char* why = state_.apply(seat, a))
      throw engine_failure{"a legal action was refused: " + terminal_text(why), "apply"};
    played_.plies.push_back({seat, a});
  }

  // Tells a move that the viewer may know.
  void tell(int seat, action a, const std::string& who) {
    const auto known = state_.audience(seat, a);
    const bool shown =
        persons_.size() > 1 ? known == engines::everyone : (known & engines::only(viewer())) != 0;
    out_ << who << ": " << (shown ? labels_.move(state_.to_text(a)) : "hidden") << std::endl;
  }

  void draw() {
    const auto a = draws_.draw(state_, chance_);
    tell(engines::chance, a, "chance");
    take(engines::chance, a);
  }

  void reply(int seat) {
    // Depends on the position only, so that a move after `undo` gets the same answer.
    const auto seed = engines::rng{with_.seed + played_.plies.size()}.next();
    const auto end = std::chrono::steady_clock::now() + think_time;
    const auto a = engines::host::choose_action(
        rules_, state_, seat, {skill_, seed, think_time},
        [end] { return std::chrono::steady_clock::now() > end; }, &played_);
    tell(seat, a, labels_.seat(seat));
    take(seat, a);
  }

  // Persons who share a terminal do not see each other's secrets.
  void hand_over(int seat) {
    if (!terminal_ || persons_.size() < 2 || rules_.perfect_information() || seat == seen_by_)
      return;
    out_ << clear_screen << labels_.seat(seat) << ": press Enter when only you see the screen "
         << std::flush;
    read_line();
    seen_by_ = seat;
  }

  void ask(int seat) {
    hand_over(seat);
    if (ended_) return;
    const auto legal = legal_moves(state_, seat);
    if (legal.empty()) throw engine_failure{"who is to move has no legal action", "legal_actions"};
    out_ << '\n' << position_text(rules_, state_, seat);
    out_ << labels_.seat(seat) << ", your move:\n" << list_of(legal, labels_, shown_moves_max);
    while (!ended_) {
      if (terminal_) out_ << "> " << std::flush;
      const auto line = read_line();
      if (!line) return;
      if (!terminal_) out_ << "> " << terminal_text(*line) << '\n';
      const auto said = read_move(*line, state_, seat, legal, labels_);
      if (const auto* a = std::get_if<action>(&said)) return take(seat, *a);
      if (const auto* wrong = std::get_if<std::string>(&said))
        out_ << *wrong << '\n';
      else if (carry_out(std::get<command>(said), seat, legal))
        return;
    }
  }

  // Returns true if the turn is another one then.
  bool carry_out(command what, int seat, std::span<const legal_move> legal) {
    std::string view;
    switch (what) {
      case command::help: out_ << help_text; break;
      case command::moves: out_ << list_of(legal, labels_, legal.size()); break;
      case command::view:
        state_.view_json(seat, view);
        out_ << terminal_text(view, view.size()) << '\n';
        break;
      case command::undo: return undo();
      case command::quit: end("The game was ended by quit"); break;
    }
    return false;
  }

  bool undo() {
    if (!rules_.allows_takeback()) {
      out_ << "This game has no undo: it has secrets, chance or turns of several players, or "
              "forbids it.\n";
      return false;
    }
    auto keep = played_.plies.size();
    while (keep > 0 && !is_person(played_.plies[keep - 1].seat)) --keep;
    if (keep == 0) {
      out_ << "There is no move of yours to take back.\n";
      return false;
    }
    const auto moves = std::exchange(played_.plies, {});
    state_ = begin_match(rules_, with_.options, with_.players);
    for (std::size_t i = 0; i + 1 < keep; ++i) take(moves[i].seat, moves[i].what);
    return true;
  }

  // Reads a line that is neither empty nor a comment, of an Enter any line. Ends the game at the
  // end of the input.
  std::optional<std::string> read_line() {
    std::string line;
    for (char c = 0; in_.get(c);) {
      if (c != '\n') {
        if (line.size() < input_line_bytes_max) line += c;
        continue;
      }
      if (terminal_ || !(line.empty() || line.front() == '#')) return line;
      line.clear();
    }
    if (!line.empty() && line.front() != '#') return line;
    if (terminal_) out_ << '\n';
    end("The input has ended, and the game with it");
    return std::nullopt;
  }

  void end(const std::string& why) {
    const auto moves = played_.plies.size();
    out_ << why << ", after " << moves << (moves == 1 ? " move.\n" : " moves.\n");
    ended_ = true;
  }

  const engines::host::engine& rules_;
  const play_request& with_;
  std::istream& in_;
  std::ostream& out_;
  const bool terminal_;
  const labels labels_;
  const engines::level skill_;
  match state_;
  std::vector<int> persons_;
  engines::rng chance_;
  engines::host::draw_source draws_;
  engines::host::played_game played_;
  int seen_by_ = engines::spectator;
  bool ended_ = false;
};

}  // namespace

engines::level level_for(const engines::host::engine& rules, std::optional<engines::level> wanted) {
  if (engines::host::levels_of(rules).size() > 1) return wanted.value_or(engines::level::medium);
  if (wanted.value_or(engines::level::random) == engines::level::random)
    return engines::level::random;
  throw base::usage_error{std::string{rules.id()} +
                          " plays itself as random only: leave --level out, or give random"};
}

void play_game(const engines::host::engine& rules, const play_request& with, std::istream& in,
               std::ostream& out, bool terminal) {
  game{rules, with, in, out, terminal}.run();
}

}  // namespace gamehub::tools::engine
