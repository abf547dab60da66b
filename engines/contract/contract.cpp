#include "engines/contract/contract.hpp"

#include "engines/contract/options.hpp"
#include "engines/contract/questions.hpp"
#include "engines/contract/random_game.hpp"
#include "engines/contract/report.hpp"
#include "engines/contract/secrets.hpp"
#include "engines/contract/set_ups.hpp"
#include "engines/dice.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace gamehub::engines::contract {

namespace {

using std::chrono::steady_clock;

class run {
 public:
  run(const engine& rules, const settings& options)
      : rules_(rules),
        options_(options),
        secrets_(rules, out_, options.reveals_midway),
        end_(steady_clock::now() + options.time_max) {}

  inspection all() {
    report_place();
    try {
      check_description();
      for (int i = 0; i < options_.playouts && goes_on(); ++i)
        play_out(options_.seed + static_cast<std::uint64_t>(i));
      out_.expect(seen_.playouts == 0 || seen_.plies != 0, "no game has a move",
                  "each is over before anybody has moved");
    } catch (const engine_failure& failure) {
      out_.expect(false, "the engine failed", failure.what());
    } catch (const std::bad_alloc&) {
      out_.expect(false, "the engine asks for more memory than there is");
    } catch (const std::length_error&) {
      out_.expect(false, "the engine asks for more memory than there is");
    } catch (const std::exception& thrown) {
      out_.expect(false, "an exception left the engine", thrown.what());
    }
    return {std::move(out_.found()), seen_};
  }

 private:
  bool late() const { return options_.time_max.count() > 0 && steady_clock::now() > end_; }
  bool goes_on() const { return out_.found().empty() && !late(); }

  void report_place() const {
    if (options_.at) options_.at(out_.now());
  }

  std::optional<match> start(const set_up& with) {
    auto made = rules_.create(with.options_json, with.players);
    if (auto* m = std::get_if<match>(&made)) return std::move(*m);
    out_.expect(false, "a match can't be created", std::get<std::string>(made));
    return std::nullopt;
  }

  void check_description() {
    out_.expect(!rules_.title().empty(), "the title is empty");
    out_.expect(rules_.actions_max() > 0 && rules_.plies_max() > 0 && rules_.state_bytes_max() > 0,
                "a bound is 0");
    check_options(rules_, options_.players, out_);
    for (const char* bad : {"[]", "{", "4", "\xff", "{\"no such option\":1}"})
      out_.expect(std::holds_alternative<std::string>(rules_.create(bad, options_.players)),
                  "create takes options that are none", bad);
    for (const int count : {-1, rules_.players_min() - 1, rules_.players_max() + 1})
      out_.expect(count == 0 || std::holds_alternative<std::string>(rules_.create("", count)),
                  "create takes a number of players that is out of bounds", std::to_string(count));
    if (!rules_.has_cells()) return;
    for (int seat = 0; seat < rules_.players_max(); ++seat)
      for (int other = -1; other < seat; ++other)
        out_.expect(rules_.mark(seat) != rules_.mark(other), "two marks are the same");
  }

  void play_out(std::uint64_t seed) {
    const auto with = random_setup(rules_, {options_.options_json, options_.players}, seed);
    auto begun = start(with);
    if (!begun) return;
    random_game game{std::move(*begun), seed};
    dice trials{seed ^ trial_seed};
    state_queries ask{rules_, out_, trials};
    auto& here = out_.now();
    here = {true, seed, with, {}, {}};
    std::vector<std::string> fingerprints{record_state(game.state())};
    secrets_.begin(game.state(), seed, with);
    while (goes_on() && !game.over()) {
      if (looks_closely(game.state(), trials)) ask.ask_running(game.state());
      if (!goes_on()) return;
      if (!play_on(game)) return;
      fingerprints.push_back(record_state(game.state()));
      secrets_.after(game.state());
    }
    if (!goes_on()) return;
    ask.ask_over(game.state());
    ++seen_.playouts;
    seen_.plies_most = std::max<std::uint64_t>(seen_.plies_most, here.turns.size());
    if (goes_on()) check_replay(fingerprints);
  }

  // Whether another action was taken as it must be.
  bool play_on(random_game& game) {
    auto& here = out_.now();
    const auto next = game.draw();
    seen_.actions_most = std::max<std::uint64_t>(seen_.actions_most, game.actions_most());
    secrets_.before(game.state(), next.seat, next.value);
    const auto hash = game.state().hash();
    const auto* why = game.take(next);
    if (!out_.expect(why == nullptr, "a legal action is refused",
                     why == nullptr ? "" : next.text + " is " + why))
      return false;
    here.turns.push_back(next);
    ++seen_.plies;
    out_.expect(game.state().hash() != hash, "an action leaves the hash as it was");
    return out_.expect(here.turns.size() <= rules_.plies_max(), "a match is longer than plies_max");
  }

  // Notes where the game is, and says everything that can be asked of it.
  std::string record_state(const match& m) {
    auto& here = out_.now();
    report_place();
    m.view_json(spectator, here.state);
    report_place();
    seen_.state_bytes_most = std::max<std::uint64_t>(seen_.state_bytes_most, m.save().size());
    return state_fingerprint(m);
  }

  // All that can be asked of a state costs as much as it has actions, and again as many plies. Of a
  // wide game a few states are asked, drawn at each playout anew.
  static bool looks_closely(const match& m, dice& d) {
    constexpr std::size_t wide = 64;
    constexpr std::size_t states_of_wide = 5;
    std::vector<action> legal;
    m.legal_actions(seats_to_move(m).front(), legal);
    return legal.size() <= wide || d.below(legal.size()) < states_of_wide;
  }

  // The same actions give the same states.
  void check_replay(const std::vector<std::string>& fingerprints) {
    auto& here = out_.now();
    auto m = start(here.with);
    if (!m) return;
    const auto turns = std::exchange(here.turns, {});
    out_.expect(state_fingerprint(*m) == fingerprints[0], "two new matches are not the same");
    for (const auto& each : turns) {
      if (!goes_on()) return;
      m->apply(each.seat, each.value);
      here.turns.push_back(each);
      out_.expect(state_fingerprint(*m) == fingerprints[here.turns.size()],
                  "the same actions lead to different states");
    }
  }

  const engine& rules_;
  const settings& options_;
  report out_;
  secrets secrets_;
  extent seen_;
  steady_clock::time_point end_;
};

}  // namespace

inspection inspect(const engine& rules, const settings& options) {
  return run{rules, options}.all();
}

std::vector<std::string> violations(const engine& rules, const settings& options) {
  std::vector<std::string> out;
  for (const auto& each : inspect(rules, options).found)
    out.push_back(std::string{rules.id()} + ": " + in_words(each));
  return out;
}

}  // namespace gamehub::engines::contract
