#include "engines/contract/contract.hpp"

#include "engines/contract/information_leak_check.hpp"
#include "engines/contract/random_game.hpp"
#include "engines/contract/report.hpp"
#include "engines/contract/state_queries.hpp"
#include "engines/dice.hpp"
#include "engines/host/engine_exception.hpp"
#include "engines/option_schema.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::engines::contract {

namespace {

using std::chrono::steady_clock;

bool is_plain(std::string_view text) {
  return !text.empty() && text.find_first_of("\\\"") == text.npos &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string with(const options::option& o, std::string_view value) {
  return "{\"" + std::string{o.name} + "\":" + std::string{value} + '}';
}

// Returns invalid values of an option.
std::vector<std::string> invalid_values(const options::option& o) {
  std::vector<std::string> out;
  if (o.what == options::type::other) return out;
  out = {"null", "[]", "{}", "\"no such choice\"", "1.5", "99999999999999999999"};
  out.emplace_back(o.what == options::type::boolean ? "0" : "true");
  if (o.what != options::type::integer) return out;
  if (o.least > INT64_MIN) out.push_back(std::to_string(o.least - 1));
  if (o.most < INT64_MAX) out.push_back(std::to_string(o.most + 1));
  return out;
}

void check_declaration(const options::option& o, report& out) {
  out.expect(is_plain(o.name), "an option's name is not plain ASCII", o.name);
  out.expect(o.least <= o.most, "no number is within an option's bounds", o.name);
  out.expect(o.fallback.what == json::kind::missing || options::fits(o, o.fallback),
             "an option's default is not what the option may be", o.name);
  options::each_choice(o, [&](const json::value& choice) {
    out.expect(is_plain(options::bare(choice.spelled)), "a choice is not plain ASCII", o.name);
  });
}

void check_options(const host::engine& rules, int players, report& out) {
  const auto schema = rules.options_schema();
  out.expect(schema.empty() || json::member(schema, "").has_value(),
             "the schema of the options is no JSON object");
  const auto made_with = [&](std::string_view text) -> std::string {
    const auto made = rules.create(text, players);
    const auto* m = std::get_if<host::match>(&made);
    return m == nullptr ? std::get<std::string>(made) : m->save();
  };
  const auto usual = made_with("");
  out.expect(made_with("{}") == usual, "no options and an empty object are not the same");
  options::each_option(schema, [&](const options::option& o) {
    check_declaration(o, out);
    if (o.fallback.what != json::kind::missing)
      out.expect(made_with(with(o, o.fallback.spelled)) == usual,
                 "an option's default is not what the engine does without it", o.name);
    for (const auto& bad : invalid_values(o))
      out.expect(std::holds_alternative<std::string>(rules.create(with(o, bad), players)),
                 "create takes an option that its schema does not allow", with(o, bad));
  });
}

class run {
 public:
  run(const host::engine& rules, const settings& options)
      : rules_(rules),
        options_(options),
        leak_check_(rules, out_, options.reveals_midway),
        end_(steady_clock::now() + options.time_max) {}

  inspection all() {
    report_place();
    try {
      check_description();
      for (int i = 0; i < options_.playouts && continues(); ++i)
        play_out(options_.seed + static_cast<std::uint64_t>(i));
      out_.expect(seen_.playouts == 0 || seen_.plies != 0, "no game has a move",
                  "each is over before anybody has moved");
    } catch (const host::engine_exception& thrown) {
      out_.expect(false, "an exception left the engine", thrown.what());
    } catch (const host::engine_failure& failure) {
      out_.expect(false, "the engine failed", failure_detail(failure));
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
  bool out_of_time() const { return options_.time_max.count() > 0 && steady_clock::now() > end_; }
  bool continues() const { return out_.found().empty() && !out_of_time(); }

  void report_place() const {
    if (options_.at) options_.at(out_.now());
  }

  std::optional<host::match> start(const game_setup& with) {
    auto made = rules_.create(with.options_json, with.players);
    if (auto* m = std::get_if<host::match>(&made)) return std::move(*m);
    const auto& why = std::get<std::string>(made);
    out_.expect(false, "a match can't be created",
                why == reasons::engine_failure ? failure_detail(rules_.failure("create")) : why);
    return std::nullopt;
  }

  void check_description() {
    out_.expect(!rules_.title().empty(), "the title is empty");
    out_.expect(rules_.actions_max() > 0 && rules_.plies_max() > 0 && rules_.state_bytes_max() > 0,
                "a bound is 0");
    check_options(rules_, options_.players, out_);
    for (const char* bad : {"[]", "{", "4", "\xff", "{\"no such option\":1}"})
      out_.expect(std::holds_alternative<std::string>(rules_.create(bad, options_.players)),
                  "create accepts invalid options", bad);
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
    rng trials{seed ^ trial_seed};
    state_queries ask{rules_, out_, trials};
    auto& here = out_.now();
    here = {true, seed, with, {}, {}};
    std::vector<fingerprint> fingerprints{record_state(game.state())};
    leak_check_.begin(game.state(), seed, with);
    while (continues() && !game.over()) {
      if (queries_fully(game.state(), here.turns.size(), trials)) ask.ask_running(game.state());
      if (!continues()) return;
      if (!play_action(game)) return;
      fingerprints.push_back(record_state(game.state()));
      leak_check_.after(game.state());
    }
    if (!continues()) return;
    ask.ask_over(game.state());
    ++seen_.playouts;
    seen_.plies_most = std::max<std::uint64_t>(seen_.plies_most, here.turns.size());
    if (continues()) check_replay(fingerprints);
  }

  // Plays one action. Returns false if the engine violates the contract.
  bool play_action(random_game& game) {
    auto& here = out_.now();
    const auto next = game.draw();
    seen_.actions_most = std::max<std::uint64_t>(seen_.actions_most, game.actions_most());
    leak_check_.before(game.state(), next.seat, next.value);
    const auto hash = game.state().hash();
    const auto* why = game.take(next);
    if (!out_.expect(why == nullptr, "a legal action is refused",
                     why == nullptr ? "" : refused_action(game.state(), next.text, why)))
      return false;
    here.turns.push_back(next);
    ++seen_.plies;
    out_.expect(game.state().hash() != hash, "an action leaves the hash as it was");
    return out_.expect(here.turns.size() <= rules_.plies_max(), "a match is longer than plies_max",
                       "it goes on after " + std::to_string(rules_.plies_max()) +
                           " actions, the most that the engine declares");
  }

  // Hashes of the aspects: of a large game with many seats all views of one state have a megabyte.
  using fingerprint = std::vector<std::size_t>;

  // Records the position and returns the state's fingerprint.
  fingerprint record_state(const host::match& m) {
    auto& here = out_.now();
    report_place();
    m.view_json(spectator, here.state);
    report_place();
    seen_.state_bytes_most = std::max<std::uint64_t>(seen_.state_bytes_most, m.save().size());
    auto out = fingerprint_of(aspects_of(m));
    check_hash(m, out);
    return out;
  }
  static fingerprint fingerprint_of(const std::vector<aspect>& all) {
    fingerprint out;
    for (const auto& each : all) out.push_back(std::hash<std::string>{}(each.value));
    return out;
  }

  // Two states of games with the same options that are shown in different ways are not equal.
  void check_hash(const host::match& m, const fingerprint& all) {
    constexpr std::size_t states_max = 100'000;
    if (hashes_.size() >= states_max) return;
    // Without the saved bytes, in which equal states may differ, and the hash.
    std::size_t shown = 0;
    for (std::size_t i = 0; i + 2 < all.size(); ++i) shown = shown * 31 + all[i];
    const auto setup = out_.now().with.options_json + ' ' + std::to_string(m.players());
    const auto key = std::pair{std::hash<std::string>{}(setup), m.hash()};
    const auto [at, is_new] = hashes_.emplace(key, shown);
    out_.expect(is_new || at->second == shown, "two states that differ have the same hash",
                "at another position of this run a viewer sees something else");
  }

  // All queries of a state cost time proportional to its actions and plies. Of a game with many
  // actions, and of a long game after its first states, only some states are queried, at random.
  static bool queries_fully(const host::match& m, std::size_t plies, rng& d) {
    constexpr std::size_t wide = 64;
    constexpr std::size_t states_of_wide = 5;
    constexpr std::size_t plies_of_short_game = 64;
    constexpr std::size_t one_of = 8;
    if (plies > plies_of_short_game && d.below(one_of) != 0) return false;
    std::vector<action> legal;
    m.legal_actions(seats_to_move(m).front(), legal);
    return legal.size() <= wide || d.below(legal.size()) < states_of_wide;
  }

  // Checks that the same actions lead to the same states.
  void check_replay(const std::vector<fingerprint>& fingerprints) {
    auto& here = out_.now();
    auto m = start(here.with);
    if (!m) return;
    const auto turns = std::exchange(here.turns, {});
    same_state(*m, fingerprints[0], "two new matches are not the same");
    for (const auto& each : turns) {
      if (!continues()) return;
      m->apply(each.seat, each.value);
      here.turns.push_back(each);
      same_state(*m, fingerprints[here.turns.size()], "the same actions lead to different states");
    }
  }

  void same_state(const host::match& m, const fingerprint& was, std::string_view promise) {
    const auto now = aspects_of(m);
    const auto is = fingerprint_of(now);
    if (is == was) return;
    std::size_t at = 0;
    while (at < is.size() && at < was.size() && is[at] == was[at]) ++at;
    out_.expect(false, promise,
                at == is.size() || is.size() != was.size() ? "one of them is over"
                                                           : now[at].name + ", the second time");
  }

  const host::engine& rules_;
  const settings& options_;
  report out_;
  information_leak_check leak_check_;
  extent seen_;
  steady_clock::time_point end_;
  // By setup and hash, over all games: a hash of what is shown of a state.
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> hashes_;
};

class minimizer {
 public:
  minimizer(const host::engine& rules, violation begun, std::chrono::nanoseconds time_max)
      : rules_(rules), best_(std::move(begun)), end_(steady_clock::now() + time_max) {}

  violation shortest() {
    if (!best_.where.in_game || best_.other_seed != 0) return best_;
    // If the final state alone does not reproduce the violation, fewer steps do not either.
    if (!adopt(best_.where.turns)) return best_;
    for (auto size = std::max<std::size_t>(best_.where.turns.size() / 2, 1); size > 0; size /= 2)
      while (remove_steps(size)) continue;
    return best_;
  }

 private:
  bool out_of_time() const { return steady_clock::now() > end_; }

  // Tries to remove `size` consecutive steps, the last ones first. Returns true if the violation
  // remains; the shorter game then replaces the best one.
  bool remove_steps(std::size_t size) {
    const auto count = best_.where.turns.size();
    for (std::size_t end = count; end >= size && !out_of_time(); --end) {
      auto turns = best_.where.turns;
      const auto from = turns.begin() + static_cast<std::ptrdiff_t>(end - size);
      turns.erase(from, from + static_cast<std::ptrdiff_t>(size));
      if (adopt(turns)) return true;
    }
    return false;
  }

  bool adopt(const std::vector<step>& turns) {
    auto found = violation_after(turns);
    if (!found) return false;
    best_ = std::move(*found);
    return true;
  }

  // Returns the violation of the same promise after these steps, as far as they are legal.
  std::optional<violation> violation_after(const std::vector<step>& turns) {
    report out;
    out.now() = {true, best_.where.seed, best_.where.with, {}, {}};
    try {
      play(turns, out);
    } catch (const host::engine_failure& failure) {
      out.expect(false, "the engine failed", failure_detail(failure));
    }
    for (auto& each : out.found())
      if (each.promise == best_.promise) return std::move(each);
    return std::nullopt;
  }

  void play(const std::vector<step>& turns, report& out) {
    const auto& with = best_.where.with;
    auto made = rules_.create(with.options_json, with.players);
    auto* m = std::get_if<host::match>(&made);
    if (m == nullptr) return;
    auto& here = out.now();
    for (auto next : turns) {
      // Another seat may be to move in the shorter game.
      const auto movers = seats_to_move(*m);
      if (movers.size() == 1) next.seat = movers.front();
      m->legal_actions(next.seat, legal_);
      if (!std::binary_search(legal_.begin(), legal_.end(), next.value)) return;
      next.text = m->to_text(next.value);
      if (m->apply(next.seat, next.value) != nullptr) return;
      here.turns.push_back(std::move(next));
    }
    m->view_json(spectator, here.state);
    rng trials{best_.where.seed ^ trial_seed};
    state_queries ask{rules_, out, trials};
    m->over() ? ask.ask_over(*m) : ask.ask_running(*m);
  }

  const host::engine& rules_;
  violation best_;
  const steady_clock::time_point end_;
  std::vector<action> legal_;
};

}  // namespace

inspection inspect(const host::engine& rules, const settings& options) {
  return run{rules, options}.all();
}

std::vector<std::string> violations(const host::engine& rules, const settings& options) {
  std::vector<std::string> out;
  for (const auto& each : inspect(rules, options).found)
    out.push_back(std::string{rules.id()} + ": " + describe(each));
  return out;
}

violation minimize(const host::engine& rules, violation found, std::chrono::nanoseconds time_max) {
  return minimizer{rules, std::move(found), time_max}.shortest();
}

}  // namespace gamehub::engines::contract
