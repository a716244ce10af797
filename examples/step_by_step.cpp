// A run that is advanced bit by bit, gets a push on its way, and is saved and restored.
#include <cmath>
#include <cstdio>
#include <vector>

#include <driftless/driftless.hpp>

int main() {
  const char* text = R"(
    model Pendulum
      parameter Real L = 1 "length of the rod", g = 9.81;
      Real x(start = 0), y(start = -L), lambda;
    equation
      der(der(x)) = -lambda*x;
      der(der(y)) = -lambda*y - g;
      x^2 + y^2 = L^2;
      annotation(experiment(StopTime = 2));
    end Pendulum;)";
  try {
    const driftless::Compiled compiled = driftless::compile(driftless::read_model_text("pendulum.mo", text));
    driftless::Simulation run(compiled);
    run.advance_to(0.5);
    std::printf("at rest      t = %.2f   x = %9.6f\n", run.time(), run.value("x"));
    run.set("der(x)", 1.0);  // a push: der(y) and lambda follow from the rod
    for (const double t : {0.75, 1.0}) {
      run.advance_to(t);
      std::printf("swinging     t = %.2f   x = %9.6f   rod %.1e\n", run.time(), run.value("x"),
                  std::abs(std::hypot(run.value("x"), run.value("y")) - run.value("L")));
    }
    const std::vector<std::byte> saved = run.save();
    const double one = run.finish().final("x");
    const double other = driftless::Simulation::restore(compiled, saved).finish().final("x");
    std::printf("at the end   t = 2.00   x = %9.6f   restored: %s\n", one,
                one == other ? "the same bits" : "other bits");
    return one == other ? 0 : 1;
  } catch (const driftless::ModelError& error) {
    std::fputs(error.what(), stderr);
    return 2;
  }
}
