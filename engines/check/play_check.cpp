#include "engines/check/play_check.hpp"

#include "engines/contract/random_game.hpp"
#include "engines/contract/report.hpp"
#include "engines/contract/state_queries.hpp"
#include "engines/dice.hpp"
#include "engines/process/process_match.hpp"
#include "engines/process/wire_format.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::engines::check {

namespace {

using process::query;
using process::query_result;
using process::reply;
using process::request;
using std::chrono::steady_clock;

// Numbers that the matches of `rules` in the same process do not reach.
constexpr std::uint64_t first_match = std::uint64_t{1} << 62U;

// Viewers whose views are compared, with the spectators.
constexpr int seats_compared_max = 4;

// The seed of the trials, which do not change the game of a seed.
constexpr std::uint64_t play_seed = 0x706c'6179;

std::string_view name_of(query::kind what) {
  using kind = query::kind;
  switch (what) {
    case kind::legal_actions: return "legal_actions";
    case kind::audience: return "audience";
    case kind::from_text: return "action_from_text";
    case kind::from_json: return "action_from_json";
    case kind::at_cell: return "action_at";
    case kind::to_text: return "action_to_text";
    case kind::to_json: return "action_to_json";
    case kind::glyphs: return "glyphs";
    case kind::cell_of: return "cell_of";
    case kind::view: return "view_json";
    case kind::save: return "save";
    case kind::choose: return "choose";
    case kind::score: return "score";
    case kind::summary: return "summary";
  }
  return {};
}

query about(query::kind what, int seat = 0, std::int64_t number = 0) {
  query q;
  q.what = what;
  q.seat = seat;
  q.number = number;
  return q;
}

// What a reply says of the request as a whole.
std::string outcome_of(const reply& said) {
  if (said.failed)
    return "fails" + (said.failure.what.empty() ? "" : " (" + said.failure.what + ')');
  if (!said.reason.empty()) return "refuses: " + said.reason;
  return said.state ? "makes the move" : "makes no move";
}

// Returns a result in words.
std::string in_words(const query_result& of) {
  if (of.failed) return "fails" + (of.failure.what.empty() ? "" : " (" + of.failure.what + ')');
  if (!of.reason.empty()) return "refuses: " + of.reason;
  std::string out = std::to_string(of.number) + ' ' + of.bytes;
  for (const auto each : of.actions) out += ' ' + std::to_string(each);
  for (const auto each : of.scores) out += ' ' + std::to_string(each);
  return out;
}

std::string in_words(const process::state_summary& of) {
  std::string out = "to move " + std::to_string(of.to_move) + ", hash " + std::to_string(of.hash);
  for (const auto each : of.scores) out += ", score " + std::to_string(each);
  return out;
}

// As bytes: a score of no number equals itself.
bool same(const reply& one, const reply& other) {
  return process::encode(one) == process::encode(other);
}

std::string two(const std::string& one, const std::string& other) {
  return contract::difference_part(one, other) + " by play, " +
         contract::difference_part(other, one) + " by single requests";
}

// Returns what differs; empty: nothing.
std::string difference(const reply& by_play, const reply& singly, const std::vector<query>& asked) {
  if (same(by_play, singly)) return {};
  if (outcome_of(by_play) != outcome_of(singly))
    return "it " + two(outcome_of(by_play), outcome_of(singly));
  if (by_play.state && by_play.state != singly.state)
    if (const auto one = in_words(*by_play.state), other = in_words(*singly.state); one != other)
      return two(one, other);
  for (std::size_t i = 0; i < std::min(by_play.answers.size(), singly.answers.size()); ++i) {
    const auto one = in_words(by_play.answers[i]);
    const auto other = in_words(singly.answers[i]);
    if (one != other) return std::string{name_of(asked[i].what)} + ": " + two(one, other);
  }
  return "the replies differ";
}

class play_comparer {
 public:
  play_comparer(const process::opened_program& program, const contract::settings& with,
                const std::function<void(bool)>& in_play)
      : rules_(program.rules),
        with_(with),
        in_play_(in_play),
        line_(program.described, *program.to, first_match),
        life_(line_.life()),
        end_(steady_clock::now() + with.time_max) {}

  play_comparison all() {
    play_comparison out;
    try {
      for (int i = 0; i < with_.playouts && goes_on(); ++i)
        if (play_out(with_.seed + static_cast<std::uint64_t>(i))) ++out.games;
    } catch (const host::engine_failure& failure) {
      out_.expect(false, "the engine failed", contract::failure_detail(failure));
    }
    out.found = std::move(out_.found());
    return out;
  }

 private:
  // The two matches of a game, which have the same state: one plays by single requests.
  struct pair {
    std::uint64_t singly = 0, by_play = 0;
  };

  bool goes_on() const {
    const bool in_time = with_.time_max.count() == 0 || steady_clock::now() <= end_;
    return out_.found().empty() && in_time;
  }

  // Returns true at the end of the game.
  bool play_out(std::uint64_t seed) {
    const auto setup = contract::random_setup(rules_, {with_.options_json, with_.players}, seed);
    auto made = rules_.create(setup.options_json, setup.players);
    auto* begun = std::get_if<host::match>(&made);
    if (begun == nullptr) return false;
    trials_ = rng{seed ^ play_seed};
    out_.now() = {true, seed, setup, {}, {}};
    pair of{loaded(*begun), loaded(*begun)};
    contract::random_game game{std::move(*begun), seed};
    while (goes_on() && !game.over()) turn(game, of);
    release(of.singly);
    release(of.by_play);
    return game.over();
  }

  void turn(contract::random_game& game, pair& of) {
    auto& here = out_.now();
    const auto& m = game.state();
    m.view_json(spectator, here.state);
    if (with_.at) with_.at(here);
    const auto before = queries_about(m);
    const auto next = game.draw();
    if (next.seat == chance) {
      draw(of, next, before);
    } else {
      if (!here.turns.empty()) refuse(m, of, next.seat, here.turns.back());
      if (trials_.below(2) == 0) drop(m, of, next.seat, before);
      if (goes_on()) move(m, of, next, before);
    }
    game.take(next);
    here.turns.push_back(next);
  }

  // Chance draws by single requests in a hub, too.
  void draw(const pair& of, const contract::step& next, const std::vector<query>& asked) {
    const auto one = send(applied(of.singly, next.seat, next.value, asked));
    const auto other = send(applied(of.by_play, next.seat, next.value, asked));
    expect_same(other, one, asked, "a draw in a copied match", next);
  }

  // A move that a client names again, and that is not legal any more.
  void refuse(const host::match& m, const pair& of, int seat, const contract::step& again) {
    std::vector<action> legal;
    m.legal_actions(seat, legal);
    if (again.seat == chance || std::binary_search(legal.begin(), legal.end(), again.value)) return;
    const auto how = named(m, {seat, again.value, again.text});
    const auto [copy, by_play] = played(of.by_play, {how});
    expect_same(by_play, singly(of.singly, {how}), {how}, "a move that is not legal",
                {seat, again.value, again.text});
  }

  // A move that is read and does not count: the match is what it was.
  void drop(const host::match& m, const pair& of, int seat, const std::vector<query>& asked) {
    std::vector<action> legal;
    m.legal_actions(seat, legal);
    const auto other = trials_.one_of(legal);
    const contract::step dropped{seat, other, m.to_text(other)};
    const auto [copy, by_play] = played(of.by_play, {named(m, dropped)});
    if (by_play.state) release(copy);
    expect_unchanged(of, dropped, asked);
  }

  void move(const host::match& m, pair& of, const contract::step& next,
            const std::vector<query>& queries) {
    std::vector<query> asked{named(m, next)};
    asked.insert(asked.end(), queries.begin(), queries.end());
    const auto [copy, by_play] = played(of.by_play, asked);
    // Until the move is logged the hub may return to the match.
    if (trials_.below(2) == 0) expect_unchanged(of, next, queries);
    expect_same(by_play, singly(of.singly, asked), asked, "a move", next);
    release(std::exchange(of.by_play, copy));
  }

  // Returns the reply of the single requests to which that of `play` must be equal.
  reply singly(std::uint64_t match, const std::vector<query>& asked) {
    auto found = send(questions(match, {asked.front()}));
    const auto& read = found.answers.front();
    if (found.failed || read.failed || !read.reason.empty()) return found;
    const std::vector<query> others(asked.begin() + 1, asked.end());
    auto out = send(applied(match, asked.front().seat, read.number, others));
    if (!out.failed) out.answers.insert(out.answers.begin(), read);
    return out;
  }

  // Returns the number of the copy, and the reply.
  std::pair<std::uint64_t, reply> played(std::uint64_t match, const std::vector<query>& asked) {
    const auto copy = line_.next_match();
    request how = questions(match, asked);
    how.what = request::kind::play;
    how.number = static_cast<std::int64_t>(copy);
    in_play_(true);
    auto said = send(std::move(how));
    in_play_(false);
    return {copy, std::move(said)};
  }

  void expect_same(const reply& by_play, const reply& singly, const std::vector<query>& asked,
                   const std::string& what, const contract::step& step) {
    const auto found = difference(by_play, singly, asked);
    out_.expect(found.empty(), "a move by play is not that of single requests",
                what + ", " + contract::describe(std::vector{step}) + ": " + found);
  }

  void expect_unchanged(const pair& of, const contract::step& step,
                        const std::vector<query>& asked) {
    const auto found =
        difference(send(questions(of.by_play, asked)), send(questions(of.singly, asked)), asked);
    out_.expect(found.empty(), "play changes the match that it copies",
                contract::describe(std::vector{step}) + ": " + found);
  }

  // What a hub asks about each state.
  std::vector<query> queries_about(const host::match& m) const {
    using kind = query::kind;
    std::vector<query> out;
    for (int viewer = spectator; viewer < std::min(m.players(), seats_compared_max); ++viewer) {
      out.push_back(about(kind::view, viewer));
      if (rules_.has_cells()) out.push_back(about(kind::glyphs, viewer));
      if (viewer != spectator) out.push_back(about(kind::legal_actions, viewer));
    }
    if (rules_.has_score()) out.push_back(about(kind::score));
    if (rules_.has_summary()) out.push_back(about(kind::summary));
    out.push_back(about(kind::save));
    return out;
  }

  // The move as a client names it: by its text, its JSON, or its cell.
  query named(const host::match& m, const contract::step& step) {
    using kind = query::kind;
    const auto way = trials_.below(3);
    if (const int cell = way == 0 && rules_.has_cells() ? m.cell_of(step.value) : -1; cell >= 0)
      return about(kind::at_cell, step.seat, cell);
    auto out = about(way == 1 ? kind::from_json : kind::from_text, step.seat);
    out.text = way == 1 ? m.to_json(step.value) : step.text;
    return out;
  }

  static request questions(std::uint64_t match, const std::vector<query>& asked) {
    request out;
    out.match = match;
    out.queries = asked;
    return out;
  }

  static request applied(std::uint64_t match, int seat, action a, const std::vector<query>& asked) {
    auto out = questions(match, asked);
    out.what = request::kind::apply;
    out.seat = seat;
    out.number = a;
    return out;
  }

  std::uint64_t loaded(const host::match& m) {
    request how;
    how.what = request::kind::load;
    how.match = line_.next_match();
    how.text = m.save();
    const auto said = send(how);
    out_.expect(said.state.has_value(), "saved bytes can't be loaded");
    return how.match;
  }

  reply send(request how) { return line_.send(life_, std::move(how)); }
  void release(std::uint64_t match) { line_.release(life_, match); }

  const host::engine rules_;
  const contract::settings& with_;
  const std::function<void(bool)>& in_play_;
  process::exchange line_;
  const std::uint64_t life_;
  const steady_clock::time_point end_;
  contract::report out_;
  rng trials_{0};
};

}  // namespace

play_comparison compare_play(const process::opened_program& program, const contract::settings& with,
                             const std::function<void(bool)>& in_play) {
  return play_comparer{program, with, in_play}.all();
}

}  // namespace gamehub::engines::check
