// Nonlinear least squares within bounds: the method of Levenberg and Marquardt as Moré (1978) scales it. A step solves
//
//   minimize |J d + r|² + λ |D d|²
//
// by a QR decomposition of J with √λ D below it, D being the largest norms of the columns of J so far, so that units of
// unknowns do not matter; λ follows the ratio of actual and predicted reduction (Nielsen 1999). Unknowns at a bound
// that the step would leave are held there; a step that passes a bound ends on it.
#pragma once

#include <functional>
#include <optional>

#include <Eigen/Core>

namespace driftless::fit {

struct Residuals {
  Eigen::VectorXd values;
  Eigen::MatrixXd slopes;  // rows are residuals, columns unknowns
};

struct LeastSquaresProblem {
  // Nothing if there is no value: such a step is rejected.
  std::function<std::optional<Residuals>(const Eigen::VectorXd& x)> residuals;
  Eigen::VectorXd lower, upper;
};

enum class Stop {
  SmallGradient,   // the residuals are orthogonal to all slopes
  SmallStep,       // the unknowns do not change any more
  SmallReduction,  // the sum of squares does not
  TooManySteps,
  NoValue,  // the first point has none
};
const char* to_string(Stop stop);  // in words
constexpr bool is_solution(Stop stop) { return stop != Stop::TooManySteps && stop != Stop::NoValue; }

struct LeastSquaresOptions {
  double tolerance = 1e-10;  // of the stops, relative
  int most_steps = 100;
};

struct LeastSquaresResult {
  Eigen::VectorXd x;
  Residuals at;  // at x
  Stop stop = Stop::TooManySteps;
  int steps = 0, evaluations = 0;
};

LeastSquaresResult least_squares(const LeastSquaresProblem& problem, Eigen::VectorXd start,
                                 const LeastSquaresOptions& options = {});

}  // namespace driftless::fit
