#include "engines/host/secret_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace gamehub::engines::host {

namespace {

// The most actions of all nodes, of 40 bytes each. At this number the tree does not grow any more.
constexpr std::size_t edges_max = std::size_t{1} << 17;

// Matches that are kept for further playouts: if no new one is found, a playout begins in one of
// these.
constexpr std::size_t matches_max = 32;

// The exploration constant for values in -1 to 1.
constexpr double exploration = 1.0;

// The part of the choices by regret matching that is uniform, so that every action is tried.
constexpr double uniform_part = 0.1;

// An action of a node. The totals are in scores of the game.
struct edge {
  action what = 0;
  std::uint32_t visits = 0;
  double total = 0;
  double regret = 0;  // The next two are used where several seats move.
  double strategy = 0;

  double mean() const { return visits == 0 ? 0 : total / visits; }
};

struct information_set {
  std::vector<edge> edges;
  std::uint32_t visits = 0;
  bool is_mixed = false;  // Several seats move.
};

// A choice of a playout in the tree.
struct visit {
  information_set* at = nullptr;
  std::size_t chosen = 0;
  int seat = 0;
};

class secret_searcher {
 public:
  secret_searcher(const observation& of, const search_bounds& bounds, std::uint64_t seed)
      : of_(of), bounds_(bounds), dice_(seed), sampler_(of, dice_.next()) {}

  action run(std::uint64_t playouts) {
    if (of_.legal.empty())
      throw engine_failure{"who is to move has no legal action", "legal_actions"};
    if (of_.legal.size() == 1) return of_.legal.front();
    for (std::uint64_t i = 0; i < playouts && !time_is_up(); ++i)
      if (const auto* from = find_match()) play_out(from->clone());
    // Without a playout, and if the choice of another seat has changed what is legal.
    const auto& legal = of_.legal;
    if (root_ != nullptr && root_->visits > 0)
      if (const auto a = verdict(); std::find(legal.begin(), legal.end(), a) != legal.end())
        return a;
    return dice_.one_of(legal);
  }

 private:
  bool time_is_up() const { return bounds_.time_is_up && bounds_.time_is_up(); }

  // Returns the match in which the next playout begins: a new one, else any of the former.
  const match* find_match() {
    auto found =
        matches_.empty() || !sampler_.is_certain() ? sampler_.find(replayed_plies) : std::nullopt;
    if (!found) return matches_.empty() ? nullptr : &matches_[dice_.below(matches_.size())];
    if (matches_.size() < matches_max) return &matches_.emplace_back(*std::move(found));
    return &(matches_[dice_.below(matches_max)] = *std::move(found));
  }

  std::span<action> legal_actions(const match& m, int seat) {
    const auto legal = m.list_actions(seat, legal_);
    if (legal.empty()) throw engine_failure("who is to move has no legal action");
    return legal;
  }

  action random_action_of(const match& m, int seat) {
    const auto legal = legal_actions(m, seat);
    return legal[dice_.below(legal.size())];
  }

  static void apply(match& m, int seat, action a) {
    if (m.apply(seat, a) != nullptr) throw engine_failure("a legal action was refused in a search");
  }

  // Returns the node of what the seat sees, a new one at its first visit, or null if the tree is
  // full. The actions of a new one are in random order; equal ones are tried in that order.
  information_set* find_node(const match& m, int seat, bool is_mixed) {
    const auto key = digest_of_view(m, seat) + static_cast<std::uint64_t>(seat);
    const auto legal = legal_actions(m, seat);
    const auto at = nodes_.find(key);
    if (at != nodes_.end()) return at->second.edges.size() == legal.size() ? &at->second : nullptr;
    if (edges_ + legal.size() > edges_max && !nodes_.empty()) return nullptr;
    edges_ += legal.size();
    for (std::size_t i = legal.size(); i > 1; --i) std::swap(legal[i - 1], legal[dice_.below(i)]);
    information_set& made = nodes_[key];
    made.is_mixed = is_mixed;
    for (const auto a : legal) made.edges.push_back({a});
    return &made;
  }

  void play_out(match m) {
    path_.clear();
    // A longer playout counts as a draw.
    int left = playout_plies_max;
    bool in_tree = true;
    for (auto moving = m.to_move(); moving != 0; moving = m.to_move()) {
      if (left-- == 0) break;
      if (moving == only(chance))
        apply(m, chance, chance_.draw(m, dice_));
      else if (in_tree)
        in_tree = take_turn(m, moving);
      else
        apply(m, std::countr_zero(moving), random_action_of(m, std::countr_zero(moving)));
    }
    read_values(m);
    for (const auto& each : path_) learn(each);
  }

  // All seats that are to move choose before any of their actions is applied. Returns false if the
  // playout leaves the tree.
  bool take_turn(match& m, seats moving) {
    turn_.clear();
    bool in_tree = true;
    for (auto rest = moving; rest != 0; rest &= rest - 1) {
      const int seat = std::countr_zero(rest);
      information_set* at = find_node(m, seat, !std::has_single_bit(moving));
      if (root_ == nullptr && seat == of_.seat) root_ = at;
      // A playout adds one node for each seat that moves.
      in_tree = in_tree && at != nullptr && at->visits > 0;
      if (at == nullptr) {
        turn_.push_back({seat, random_action_of(m, seat)});
        continue;
      }
      const auto chosen = at->is_mixed ? mixed_choice(*at) : promising(*at);
      path_.push_back({at, chosen, seat});
      turn_.push_back({seat, at->edges[chosen].what});
    }
    for (const auto& [seat, what] : turn_) {
      if (!holds(m.to_move(), seat)) break;
      // The first choice of a turn may have changed what is legal.
      if (m.apply(seat, what) != nullptr) apply(m, seat, random_action_of(m, seat));
    }
    return in_tree;
  }

  // Returns an action that was not tried, otherwise the one with the best bound.
  std::size_t promising(const information_set& at) const {
    const double log_visits = std::log(static_cast<double>(at.visits + 1));
    std::size_t best = 0;
    double most = -1e300;
    for (std::size_t i = 0; i < at.edges.size(); ++i) {
      const edge& e = at.edges[i];
      if (e.visits == 0) return i;
      const double promise = e.mean() / range_ + exploration * std::sqrt(log_visits / e.visits);
      if (promise <= most) continue;
      most = promise;
      best = i;
    }
    return best;
  }

  // Writes the strategy of regret matching to strategy_: positive regrets in proportion.
  void read_strategy(const information_set& at) {
    strategy_.clear();
    for (const auto& e : at.edges) strategy_.push_back(std::max(e.regret, 0.0));
    const auto sum = std::accumulate(strategy_.begin(), strategy_.end(), 0.0);
    for (auto& each : strategy_)
      each = sum > 0 ? each / sum : 1 / static_cast<double>(strategy_.size());
  }

  // With the uniform part, the probability with which the action is taken.
  double probability(std::size_t i) const {
    return (1 - uniform_part) * strategy_[i] + uniform_part / static_cast<double>(strategy_.size());
  }

  double uniform() { return static_cast<double>(dice_.next() >> 11) * 0x1p-53; }

  std::size_t mixed_choice(const information_set& at) {
    read_strategy(at);
    double ticket = uniform();
    std::size_t i = 0;
    while (i + 1 < strategy_.size() && ticket >= probability(i)) ticket -= probability(i++);
    return i;
  }

  // Writes to values_ how much better each seat is than the mean of the others.
  void read_values(const match& m) {
    values_.assign(static_cast<std::size_t>(m.players()), 0.0);
    if (!m.over()) return;
    m.scores(values_);
    const auto others = static_cast<double>(values_.size()) - 1;
    const auto sum = std::accumulate(values_.begin(), values_.end(), 0.0);
    for (auto& v : values_) {
      if (others > 0) v -= (sum - v) / others;
      range_ = std::max(range_, std::abs(v));
    }
  }

  void learn(const visit& v) {
    information_set& at = *v.at;
    const auto value = values_[static_cast<std::size_t>(v.seat)];
    if (at.is_mixed) learn_regrets(at, v.chosen, value);
    ++at.visits;
    ++at.edges[v.chosen].visits;
    at.edges[v.chosen].total += value;
  }

  // What the other actions would have been worth is estimated by their means, which leaves the
  // estimate without bias and with less variance.
  void learn_regrets(information_set& at, std::size_t chosen, double value) {
    read_strategy(at);
    estimates_.clear();
    double expected = 0;
    for (std::size_t i = 0; i < at.edges.size(); ++i) {
      const double mean = at.edges[i].mean();
      estimates_.push_back(i == chosen ? mean + (value - mean) / probability(i) : mean);
      expected += strategy_[i] * estimates_.back();
    }
    for (std::size_t i = 0; i < at.edges.size(); ++i) {
      at.edges[i].regret += estimates_[i] - expected;
      at.edges[i].strategy += strategy_[i];
    }
  }

  // Returns the most visited action, or one drawn from the average strategy.
  action verdict() {
    const auto& all = root_->edges;
    if (!root_->is_mixed)
      return std::max_element(all.begin(), all.end(),
                              [](const edge& a, const edge& b) {
                                return std::pair{a.visits, a.total} < std::pair{b.visits, b.total};
                              })
          ->what;
    double ticket = uniform() * root_->visits;
    std::size_t i = 0;
    while (i + 1 < all.size() && ticket >= all[i].strategy) ticket -= all[i++].strategy;
    return all[i].what;
  }

  const observation& of_;
  const search_bounds& bounds_;
  rng dice_;
  sampler sampler_;
  draw_source chance_;
  std::vector<match> matches_;
  std::unordered_map<std::uint64_t, information_set> nodes_;
  std::size_t edges_ = 0;
  information_set* root_ = nullptr;  // of the seat that searches
  std::vector<visit> path_;
  std::vector<ply> turn_;
  std::vector<action> legal_;
  std::vector<double> values_, strategy_, estimates_;
  double range_ = 1e-9;  // the greatest value so far
};

}  // namespace

action search_secrets(const observation& of, const play_style& style, const search_bounds& bounds) {
  const auto playouts = playouts_of(style.skill, bounds);
  return secret_searcher{of, bounds, style.seed}.run(playouts);
}

}  // namespace gamehub::engines::host
