#include "hub/league/elo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gamehub::league {
namespace {

// One unit of the logistic scale in Elo: 400 points are odds of ten to one.
const double elo_scale = 400 / std::log(10);
constexpr double two_sided_95 = 1.959964;
// The posterior is concave, so a few Newton steps suffice. Long steps are cut, so that they do not
// overshoot.
constexpr int steps_max = 100;
constexpr double step_max = 2;
constexpr double step_tolerance = 1e-9;

double win(double by) { return 1 / (1 + std::exp(-by)); }

// A symmetric positive definite matrix, with Cholesky factorisation and solver.
class matrix {
 public:
  explicit matrix(std::size_t n) : n_(n), cells_(n * n) {}

  double& at(std::size_t row, std::size_t column) { return cells_.at(row * n_ + column); }
  double at(std::size_t row, std::size_t column) const { return cells_.at(row * n_ + column); }

  // Replaces the lower triangle by the Cholesky factor.
  void factor() {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        auto sum = at(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
        at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
      }
  }

  // Requires: factor() was called.
  std::vector<double> solve(std::vector<double> right) const {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < i; ++k) right[i] -= at(i, k) * right[k];
      right[i] /= at(i, i);
    }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t k = i + 1; k < n_; ++k) right[i] -= at(k, i) * right[k];
      right[i] /= at(i, i);
    }
    return right;
  }

 private:
  std::size_t n_;
  std::vector<double> cells_;
};

// The gradient of the log posterior, and its negated Hessian.
struct derivatives {
  explicit derivatives(std::size_t n) : gradient(n), curvature(n) {}
  std::vector<double> gradient;
  matrix curvature;
};

derivatives slopes_at(const std::vector<double>& strengths, std::span<const pair_score> scores) {
  derivatives out{strengths.size()};
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    const auto p = win(strengths[i]);
    out.gradient[i] = 0.5 - p;
    out.curvature.at(i, i) = p * (1 - p);
  }
  for (const auto& s : scores) {
    const auto p = win(strengths[s.a] - strengths[s.b]);
    const auto surprise = s.points - s.games * p;
    out.gradient[s.a] += surprise;
    out.gradient[s.b] -= surprise;
    const auto information = s.games * p * (1 - p);
    out.curvature.at(s.a, s.a) += information;
    out.curvature.at(s.b, s.b) += information;
    out.curvature.at(s.a, s.b) -= information;
    out.curvature.at(s.b, s.a) -= information;
  }
  return out;
}

}  // namespace

std::vector<elo> estimate(std::size_t players, std::span<const pair_score> scores) {
  std::vector<double> strengths(players);
  for (int step = 0; step < steps_max; ++step) {
    auto at = slopes_at(strengths, scores);
    at.curvature.factor();
    const auto to_go = at.curvature.solve(at.gradient);
    double longest = 0;
    for (std::size_t i = 0; i < players; ++i) {
      strengths[i] += std::clamp(to_go[i], -step_max, step_max);
      longest = std::max(longest, std::abs(to_go[i]));
    }
    if (longest < step_tolerance) break;
  }
  auto at = slopes_at(strengths, scores);
  at.curvature.factor();
  const auto mean = std::accumulate(strengths.begin(), strengths.end(), 0.0) /
                    static_cast<double>(std::max<std::size_t>(players, 1));
  std::vector<elo> out(players);
  for (std::size_t i = 0; i < players; ++i) {
    // The error of the difference from the mean; the common offset of all players has no meaning.
    std::vector<double> from_mean(players, -1 / static_cast<double>(players));
    from_mean[i] += 1;
    const auto spread = at.curvature.solve(from_mean);
    const auto variance = std::inner_product(spread.begin(), spread.end(), from_mean.begin(), 0.0);
    out[i] = {elo_scale * (strengths[i] - mean), two_sided_95 * elo_scale * std::sqrt(variance)};
  }
  return out;
}

}  // namespace gamehub::league
