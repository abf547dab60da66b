#include "engines/host/search.hpp"

#include "engines/dice.hpp"
#include "engines/host/draw.hpp"
#include "engines/host/secret_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace gamehub::engines::host {

namespace {

// Nodes of 40 bytes each. When the tree is full, playouts start at its leaves.
constexpr std::size_t nodes_max = std::size_t{1} << 18;

// The exploration constant for scores in -1 to 1.
constexpr double curiosity = 1.0;

// A node of the tree: the position after an action of the parent's mover.
struct node {
  action value = 0;
  std::uint32_t children_begin = 0;
  std::uint32_t children_end = 0;
  std::uint32_t visits = 0;
  std::int8_t chooser = 0;
  std::int8_t mover = -1;  // Set when the node has children.
  bool settled = false;    // The result is proved.
  double result = 0;       // If settled: the score of seat 0.
  // Sum of the scores of the parent's mover over all visits. Of a draw: its weight.
  double total = 0;

  bool has_children() const { return children_begin != children_end; }
  double mean() const { return visits == 0 ? 0 : total / visits; }
};

class searcher {
 public:
  searcher(const match& from, const search_bounds& bounds, std::uint64_t seed)
      : from_(from),
        bounds_(bounds),
        dice_(seed),
        scores_(static_cast<std::size_t>(from.players())) {
    tree_.reserve(1024);
    tree_.emplace_back();
  }

  action run(std::uint64_t playouts) {
    grow(0, from_);
    if (root().children_end - root().children_begin > 1) {
      survey();
      for (std::uint64_t i = 0; i < playouts && !root().settled && !time_is_up(); ++i) play_out();
    }
    return verdict();
  }

 private:
  node& root() { return tree_.front(); }
  bool time_is_up() const { return bounds_.time_is_up && bounds_.time_is_up(); }

  static int mover_of(const match& m) { return std::countr_zero(m.to_move()); }

  // The result is valid until the next call.
  std::span<action> legal_actions(const match& m, int mover) {
    const auto legal = m.list_actions(mover, legal_);
    if (legal.empty()) throw engine_failure("who is to move has no legal action");
    return legal;
  }

  static void apply(match& m, action a) { apply(m, mover_of(m), a); }
  static void apply(match& m, int mover, action a) {
    if (m.apply(mover, a) != nullptr)
      throw engine_failure("a legal action was refused in a search");
  }

  // Adds the children of the node in random order; equal children are tried in that order. The
  // match is at the node and not over.
  void grow(std::size_t at, const match& m) {
    const int mover = mover_of(m);
    if (mover == chance) return grow_draws(at, m);
    const auto legal = legal_actions(m, mover);
    if (tree_.size() + legal.size() > nodes_max && at != 0) return;
    for (std::size_t i = legal.size(); i > 1; --i) std::swap(legal[i - 1], legal[dice_.below(i)]);
    tree_[at].mover = static_cast<std::int8_t>(mover);
    tree_[at].children_begin = static_cast<std::uint32_t>(tree_.size());
    for (const auto a : legal) {
      node& child = tree_.emplace_back();
      child.value = a;
      child.chooser = static_cast<std::int8_t>(mover);
    }
    tree_[at].children_end = static_cast<std::uint32_t>(tree_.size());
  }

  void grow_draws(std::size_t at, const match& m) {
    const auto& draws = chance_.read(m);
    if (tree_.size() + draws.size() > nodes_max) return;
    tree_[at].mover = chance;
    tree_[at].children_begin = static_cast<std::uint32_t>(tree_.size());
    for (std::size_t i = 0; i < draws.size(); ++i) {
      node& child = tree_.emplace_back();
      child.value = draws[i];
      child.chooser = chance;
      child.total = chance_.weights()[i];
    }
    tree_[at].children_end = static_cast<std::uint32_t>(tree_.size());
  }

  // Returns a child of a node of chance, by weight.
  std::size_t drawn(const node& parent) {
    double all = 0;
    for (auto i = parent.children_begin; i != parent.children_end; ++i) all += tree_[i].total;
    auto ticket = static_cast<double>(dice_.below(static_cast<std::size_t>(all)));
    auto i = parent.children_begin;
    while (i + 1 != parent.children_end && ticket >= tree_[i].total) ticket -= tree_[i++].total;
    return i;
  }

  // Returns the score of seat 0; the other scores are in scores_.
  void read_scores(const match& m) {
    m.scores(scores_);
    for (double& s : scores_) s = std::clamp(s, -1.0, 1.0);
  }

  // Results can be proved only in zero-sum games of two seats.
  bool is_duel() const { return scores_.size() == 2 && scores_[0] == -scores_[1]; }

  void settle_if_over(std::size_t at, const match& m) {
    if (!m.over()) return;
    read_scores(m);
    if (!is_duel()) return;
    tree_[at].settled = true;
    tree_[at].result = scores_[0];
  }

  // Returns a proved result as the score of a seat.
  static double for_seat(double result, int seat) { return seat == 0 ? result : -result; }

  // Settles a node if one child proves a win, or if all children are proved.
  void settle_from_children(std::size_t at) {
    node& n = tree_[at];
    if (n.settled || !n.has_children()) return;
    if (n.mover == chance) return settle_from_draws(n);
    double best = -1;
    bool all = true;
    for (auto i = n.children_begin; i != n.children_end; ++i) {
      all = all && tree_[i].settled;
      if (tree_[i].settled) best = std::max(best, for_seat(tree_[i].result, n.mover));
    }
    if (!all && best < 1) return;
    n.settled = true;
    n.result = for_seat(best, n.mover);
  }

  // Settles a node of chance with the expectation of its draws, if all of them are proved.
  void settle_from_draws(node& n) {
    double sum = 0;
    double weights = 0;
    for (auto i = n.children_begin; i != n.children_end; ++i) {
      if (!tree_[i].settled) return;
      sum += tree_[i].total * tree_[i].result;
      weights += tree_[i].total;
    }
    n.settled = true;
    n.result = sum / weights;
  }

  // Examines all first actions and all replies to them for the end of the game.
  void survey() {
    for (auto i = root().children_begin; i != root().children_end; ++i) {
      match m = from_.clone();
      apply(m, tree_[i].value);
      settle_if_over(i, m);
    }
    settle_from_children(0);
    for (auto i = root().children_begin; i != root().children_end && !root().settled; ++i)
      if (!tree_[i].settled && !time_is_up()) survey_answers(i);
    settle_from_children(0);
  }

  void survey_answers(std::size_t at) {
    match here = from_.clone();
    apply(here, tree_[at].value);
    if (here.over()) return;
    grow(at, here);
    for (auto i = tree_[at].children_begin; i != tree_[at].children_end; ++i) {
      match m = here.clone();
      apply(m, tree_[i].value);
      settle_if_over(i, m);
    }
    settle_from_children(at);
  }

  // Selects a child: an untried one, otherwise the one with the best bound. Skips settled children;
  // at least one child is not settled, because otherwise the parent would be.
  std::size_t promising(const node& parent) const {
    const double log_visits = std::log(static_cast<double>(parent.visits + 1));
    std::size_t best = parent.children_begin;
    double most = -1e300;
    for (auto i = parent.children_begin; i != parent.children_end; ++i) {
      const node& child = tree_[i];
      if (child.settled) continue;
      if (child.visits == 0) return i;
      const double promise = child.mean() + curiosity * std::sqrt(log_visits / child.visits);
      if (promise <= most) continue;
      most = promise;
      best = i;
    }
    return best;
  }

  void play_out() {
    match m = from_.clone();
    path_.assign(1, 0);
    while (!m.over()) {
      const auto at = path_.back();
      // A node gets children at its second visit, to save space in the tree.
      if (!tree_[at].has_children() && tree_[at].visits > 0) grow(at, m);
      if (!tree_[at].has_children() || tree_[at].settled) break;
      path_.push_back(tree_[at].mover == chance ? drawn(tree_[at]) : promising(tree_[at]));
      apply(m, tree_[path_.back()].value);
    }
    settle_if_over(path_.back(), m);
    // Only a draw leads to a node that is settled and not over.
    if (const node& end = tree_[path_.back()]; end.settled)
      scores_ = {end.result, -end.result};
    else
      play_at_random(m);
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      node& n = tree_[*at];
      ++n.visits;
      if (n.chooser != chance) n.total += scores_[static_cast<std::size_t>(n.chooser)];
      settle_from_children(*at);
    }
  }

  // Plays to the end and leaves the scores in scores_.
  void play_at_random(match& m) {
    int ply = 0;
    for (auto who = m.to_move(); who != 0; who = m.to_move()) {
      if (ply++ == playout_plies_max) return scores_.assign(scores_.size(), 0.0);
      const int mover = std::countr_zero(who);
      if (mover == chance) {
        apply(m, mover, chance_.draw(m, dice_));
        continue;
      }
      const auto legal = legal_actions(m, mover);
      apply(m, mover, legal[dice_.below(legal.size())]);
    }
    read_scores(m);
  }

  // Returns the best action: a settled child counts with its result, the others with the mean score
  // of the most visited one.
  action verdict() {
    const node* tried = nullptr;
    const node* proved = nullptr;
    const auto value = [&](const node& n) { return for_seat(n.result, root().mover); };
    for (auto i = root().children_begin; i != root().children_end; ++i) {
      const node& child = tree_[i];
      const node*& best = child.settled ? proved : tried;
      if (best == nullptr ||
          (child.settled ? value(child) > value(*best) ||
                               (value(child) == value(*best) && child.visits > best->visits)
                         : child.visits > best->visits))
        best = &child;
    }
    if (tried == nullptr) return proved->value;
    if (proved == nullptr || value(*proved) == -1) return tried->value;
    return value(*proved) >= tried->mean() ? proved->value : tried->value;
  }

  const match& from_;
  const search_bounds& bounds_;
  rng dice_;
  std::vector<node> tree_;
  std::vector<std::size_t> path_;
  std::vector<action> legal_;
  draw_source chance_;
  std::vector<double> scores_;
};

}  // namespace

bool has_secrets(const engine& rules) {
  return !rules.perfect_information() || rules.simultaneous();
}

bool can_search(const engine& rules) {
  return !has_secrets(rules) || rules.plies_max() <= played_plies_max;
}

bool needs_played_game(const engine& rules) {
  return !rules.has_player() && has_secrets(rules) && can_search(rules);
}

std::uint64_t playouts_of(level skill, const search_bounds& bounds) {
  return skill == level::medium ? std::min(bounds.playouts_max, medium_playouts_max)
                                : bounds.playouts_max;
}

action search(const match& from, const play_style& style, const search_bounds& bounds) {
  if (style.skill == level::random)
    return random_action(from, std::countr_zero(from.to_move()), style.seed);
  return searcher{from, bounds, style.seed}.run(playouts_of(style.skill, bounds));
}

std::span<const level> levels_of(const engine& rules) {
  static constexpr std::array all{level::random, level::medium, level::perfect};
  const bool thinks = rules.has_player() || can_search(rules);
  return std::span{all}.first(thinks ? all.size() : 1);
}

action choose_action(const engine& rules, const match& position, int seat, const play_style& style,
                     const std::function<bool()>& time_is_up, const played_game* played) {
  if (rules.has_player()) {
    const auto chosen = position.choose(seat, style);
    if (!chosen) throw position.failure("choose", "the engine's player chose nothing");
    return *chosen;
  }
  const bool lacks_game = needs_played_game(rules) && played == nullptr;
  if (style.skill == level::random || !can_search(rules) || lacks_game)
    return random_action(position, seat, style.seed);
  search_bounds bounds;
  bounds.time_is_up = time_is_up;
  if (!has_secrets(rules)) return search(position, style, bounds);
  // In the process of this match.
  return search_secrets(observe(position.rules(), *played, seat), style, bounds);
}

action random_action(const match& position, int seat, std::uint64_t seed) {
  std::vector<action> legal;
  position.legal_actions(seat, legal);
  if (legal.empty()) throw engine_failure{"who is to move has no legal action", "legal_actions"};
  return rng{seed}.one_of(legal);
}

}  // namespace gamehub::engines::host
