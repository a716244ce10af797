// One model, compiled once, and many runs of it with other parameters, in two threads.
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include <driftless/driftless.hpp>

int main() {
  const char* text = R"(
    model Pendulum
      parameter Real L = 1 "length of the rod", g = 9.81;
      Real x(start = L/2), y(start = -L*sqrt(3)/2), lambda;
    equation
      der(der(x)) = -lambda*x;
      der(der(y)) = -lambda*y - g;
      x^2 + y^2 = L^2;
      annotation(experiment(StopTime = 2));
    end Pendulum;)";
  try {
    const driftless::Compiled compiled =
        driftless::compile(driftless::read_model_text("pendulum.mo", text), {.tolerance = 1e-8});
    std::vector<double> heights(8);
    const auto run = [&](std::size_t first) {
      for (std::size_t k = first; k < heights.size(); k += 2) {
        const double length = 1.0 + 0.25 * static_cast<double>(k);
        heights[k] = driftless::simulate(compiled, {.parameters = {{"L", length}}}).at(2.0, "y");
      }
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    for (std::size_t k = 0; k < heights.size(); ++k)
      std::printf("L = %.2f   y(2) = %9.6f\n", 1.0 + 0.25 * static_cast<double>(k), heights[k]);
    return 0;
  } catch (const driftless::ModelError& error) {
    std::fputs(error.what(), stderr);
    return 2;
  }
}
