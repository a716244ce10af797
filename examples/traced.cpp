// A model traced from a function that computes residuals F(t, x, dx). The function is generic: called once with
// expressions it gives the model, called with numbers it checks the result.
//
// The problem is of index 3 and has the closed form x = (e^2t, e^-t, e^2t, e^-t, e^t) (Jay 1995).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <driftless/model/builder.hpp>
#include <driftless/simulate.hpp>

int main() {
  const auto jay = [](const auto& /*t*/, const auto& x, const auto& dx) {
    return std::vector{dx[0] - 2.0 * x[0] * x[1] * x[2] * x[3], dx[1] + x[0] * x[1] * x[3] * x[3],
                       dx[2] - (x[0] * x[1] + x[2] * x[3]) * x[4], dx[3] + x[0] * x[1] * x[1] * x[3] * x[3] * x[4],
                       x[0] * x[1] * x[1] - 1.0};
  };

  try {
    const driftless::Model model = driftless::trace("Jay", 5, jay, {.start = {1.0, 1.0, 1.0, 1.0, 1.0}});
    const driftless::Solution solution = driftless::simulate(model, {.stop = 1.0, .tolerance = 1e-8});
    if (solution.outcome != driftless::Outcome::Success) {
      std::cerr << solution.message << '\n';
      return 1;
    }

    std::printf("index %d, %d states\n", solution.structure.structural_index, solution.structure.degrees_of_freedom);
    const double exact[] = {std::exp(2.0), std::exp(-1.0), std::exp(2.0), std::exp(-1.0), std::exp(1.0)};
    std::vector<double> x, dx;
    double error = 0.0, residual = 0.0;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "x[" + std::to_string(i + 1) + "]";
      x.push_back(solution.final(name));
      dx.push_back(i < 4 ? solution.final("der(" + name + ")") : 0.0);  // the derivative of x[5] does not occur
      error = std::max(error, std::abs(x[i] / exact[i] - 1.0));
      std::printf("%s = %.5f, exact %.5f\n", name.c_str(), x[i], exact[i]);
    }
    for (const double r : jay(1.0, x, dx)) residual = std::max(residual, std::abs(r));
    std::printf("largest residual %.0e\n", residual);
    return error < 1e-6 && residual < 1e-12 ? 0 : 1;
  } catch (const driftless::ModelError& error) {
    std::cerr << error.what();
    return 2;
  }
}
