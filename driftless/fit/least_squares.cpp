#include "driftless/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "driftless/linear/dense.hpp"

namespace driftless::fit {
namespace {

constexpr double first_damping = 1e-3;
constexpr double largest_damping = 1e12;

class Minimization {
 public:
  Minimization(const LeastSquaresProblem& problem, Eigen::VectorXd start, const LeastSquaresOptions& options)
      : problem_(problem), options_(options) {
    result_.x = start.cwiseMax(problem.lower).cwiseMin(problem.upper);
  }

  LeastSquaresResult operator()() {
    result_.stop = run();
    return std::move(result_);
  }

 private:
  Stop run() {
    auto first = evaluate(result_.x);
    if (!first) return Stop::NoValue;
    result_.at = std::move(*first);
    scales_ = Eigen::VectorXd::Zero(result_.x.size());
    for (; result_.steps < options_.most_steps; ++result_.steps) {
      take_scales();
      find_free();
      if (gradient_is_small()) return Stop::SmallGradient;
      for (bool is_taken = false; !is_taken;) {
        const Eigen::VectorXd next = (result_.x + step()).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
        const Eigen::VectorXd moved = next - result_.x;
        if (scales_.cwiseProduct(moved).norm() <= options_.tolerance * scales_.cwiseProduct(result_.x).norm() ||
            damping_ > largest_damping)
          return Stop::SmallStep;
        const auto stop = try_point(next, moved, is_taken);
        if (stop) return *stop;
      }
    }
    return Stop::TooManySteps;
  }

  std::optional<Residuals> evaluate(const Eigen::VectorXd& x) {
    ++result_.evaluations;
    auto found = problem_.residuals(x);
    if (found && !(found->values.allFinite() && found->slopes.allFinite())) found.reset();
    return found;
  }

  // Accepts the point if it is better.
  std::optional<Stop> try_point(const Eigen::VectorXd& next, const Eigen::VectorXd& moved, bool& is_taken) {
    const double before = result_.at.values.squaredNorm();
    const double predicted = before - (result_.at.values + result_.at.slopes * moved).squaredNorm();
    auto found = evaluate(next);
    const double after = found ? found->values.squaredNorm() : HUGE_VAL;
    const double ratio = predicted > 0.0 ? (before - after) / predicted : -1.0;
    if (!(ratio > 1e-4)) {
      // No point of the direction is better: the rest is the rounding error of the sum.
      if (found && predicted <= options_.tolerance * before && std::abs(before - after) <= options_.tolerance * before)
        return Stop::SmallReduction;
      damping_ *= growth_;
      growth_ *= 2.0;
      return {};
    }
    is_taken = true;
    result_.x = next;
    result_.at = std::move(*found);
    damping_ *= std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * ratio - 1.0, 3));
    growth_ = 2.0;
    if (before - after <= options_.tolerance * before && predicted <= options_.tolerance * before) {
      ++result_.steps;
      return Stop::SmallReduction;
    }
    return {};
  }

  void take_scales() {
    for (Eigen::Index k = 0; k < scales_.size(); ++k) {
      scales_(k) = std::max(scales_(k), result_.at.slopes.col(k).norm());
      if (scales_(k) == 0.0) scales_(k) = 1.0;
    }
  }

  // Holds unknowns at bounds beyond which the sum of squares would decrease.
  void find_free() {
    const Eigen::VectorXd gradient = result_.at.slopes.transpose() * result_.at.values;
    free_.clear();
    for (Eigen::Index k = 0; k < result_.x.size(); ++k)
      if (!(result_.x(k) <= problem_.lower(k) && gradient(k) > 0.0) &&
          !(result_.x(k) >= problem_.upper(k) && gradient(k) < 0.0))
        free_.push_back(k);
  }

  // The cosine of the angle between the residuals and the slopes.
  bool gradient_is_small() const {
    const double size = result_.at.values.norm();
    if (size == 0.0) return true;
    return std::ranges::all_of(free_, [&](Eigen::Index k) {
      const double norm = result_.at.slopes.col(k).norm();
      return norm == 0.0 ||
             std::abs(result_.at.slopes.col(k).dot(result_.at.values)) <= options_.tolerance * norm * size;
    });
  }

  Eigen::VectorXd step() const {
    const auto n = static_cast<Eigen::Index>(free_.size());
    const Eigen::Index m = result_.at.values.size();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(m + n, n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m + n);
    right.head(m) = -result_.at.values;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index k = free_[static_cast<std::size_t>(j)];
      matrix.col(j).head(m) = result_.at.slopes.col(k);
      matrix(m + j, j) = std::sqrt(damping_) * scales_(k);
    }
    const Eigen::VectorXd found = linear::PivotedQr(matrix).solve(right);
    Eigen::VectorXd step = Eigen::VectorXd::Zero(result_.x.size());
    for (Eigen::Index j = 0; j < n; ++j) step(free_[static_cast<std::size_t>(j)]) = found(j);
    return step;
  }

  const LeastSquaresProblem& problem_;
  const LeastSquaresOptions& options_;
  LeastSquaresResult result_;
  Eigen::VectorXd scales_;
  std::vector<Eigen::Index> free_;
  double damping_ = first_damping, growth_ = 2.0;
};

}  // namespace

const char* to_string(Stop stop) {
  switch (stop) {
    case Stop::SmallGradient: return "the residuals are orthogonal to all slopes";
    case Stop::SmallStep: return "the parameters do not change any more";
    case Stop::SmallReduction: return "the sum of squares does not decrease any more";
    case Stop::TooManySteps: return "the largest number of iterations was reached";
    case Stop::NoValue: return "there is no run with the first values";
  }
  return "";
}

LeastSquaresResult least_squares(const LeastSquaresProblem& problem, Eigen::VectorXd start,
                                 const LeastSquaresOptions& options) {
  return Minimization(problem, std::move(start), options)();
}

}  // namespace driftless::fit
