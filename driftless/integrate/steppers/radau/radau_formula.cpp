#include "driftless/integrate/steppers/radau/radau_formula.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double iteration_error = 0.003;  // in units of the tolerance of the user

// Errors between the steps are of the size of the estimate: it may be at most this many tolerances.
constexpr double between_steps = 10.0;

struct Coefficients {
  explicit Coefficients(int s)
      : tableau(radau_iia(s)),
        transformation(diagonalize(inverse_matrix(tableau))),
        of_error(error_weights(tableau)),
        between(between_nodes(tableau)),
        stages(tableau),
        polynomial(tableau.c, 0) {}

  Tableau tableau;
  StageTransformation transformation;
  std::vector<double> of_error;
  BetweenNodes between;
  StageWeights stages;
  StagePolynomial polynomial;  // of no components
};

template <int S>
const Coefficients& coefficients() {
  static const Coefficients once(S);
  return once;
}
const Coefficients& coefficients(int s) {
  return s == 3 ? coefficients<3>() : s == 5 ? coefficients<5>() : coefficients<7>();
}

}  // namespace

RadauFormula::RadauFormula(Problem& problem, int s, double wanted)
    : tableau(coefficients(s).tableau),
      transformation(coefficients(s).transformation),
      of_error(coefficients(s).of_error),
      between(coefficients(s).between),
      stages(problem, coefficients(s).stages),
      polynomial(coefficients(s).polynomial, problem.size()),
      most_iterations(10 + 5 * (s - 3) / 2),
      tolerance(std::min({0.1, 0.1 * std::pow(wanted, (s + 1.0) / (2.0 * s)), between_steps * wanted})),
      newton_tolerance(std::min(0.03, iteration_error * wanted / tolerance)) {}

}  // namespace driftless
