// For the tests of steppers: a model in one of its formulations, ready to be stepped.
#pragma once

#include <cmath>
#include <string>

#include "driftless/formulate/formulation.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless::samples {

inline Model from_text(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return std::move(*model);
}

// The model with all relations evaluated at every point, as within noEvent(...).
inline Model from_text_without_events(const std::string& text) {
  return *without_events(std::make_shared<const Model>(from_text(text)));
}

// A mass on a circle, driven such that its angle is sin t and the multiplier 2 + cos t.
inline Model driven_pendulum() {
  return from_text(R"(
    model Driven
      Real x(start = 0, fixed = true), y(start = -1), lambda;
    protected
      Real phi = sin(time), w = cos(time), a = -sin(time), l = 2 + cos(time);
    initial equation
      der(x) = 1;
    equation
      der(der(x)) = -lambda*x - sin(phi)*w^2 + cos(phi)*a + l*sin(phi);
      der(der(y)) = -lambda*y + cos(phi)*w^2 + sin(phi)*a - l*cos(phi);
      x^2 + y^2 = 1;
    end Driven;)");
}

inline State consistent_start(const Reduced& base) {
  Diagnostics diagnostics;
  auto start = initialize(base, 0.0, diagnostics);
  if (const auto* why = std::get_if<NoConsistentStart>(&start)) throw std::runtime_error(why->message);
  return std::get<State>(std::move(start));
}

// For formulations that choose no states: all kinematic relations are discretized.
class SampleProblem {
 public:
  SampleProblem(Model model, const Formulation& formulation)
      : SampleProblem(reduced(std::move(model), {.keep_constraints = true}), formulation) {}
  SampleProblem(std::shared_ptr<const Reduced> base, const Formulation& formulation)
      : SampleProblem(consistent_start(*base), std::make_shared<const Reduced>(reformulate(*base, formulation))) {}
  SampleProblem(State at, std::shared_ptr<const Reduced> reduced)
      : start(extended(std::move(at), *reduced)),
        system(std::move(reduced), Backend::Interpreter),
        problem(system),
        quantities_(system.reduced().quantities.size()) {
    problem.set_states(system.reduced().permanent);
  }

  // The value of a quantity, by name, at the stepper's present point.
  double operator()(const Stepper& stepper, const std::string& name) {
    const Reduced& r = system.reduced();
    system.observe({stepper.time(), stepper.y(), stepper.yp()}, quantities_);
    for (std::size_t k = 0; k < quantities_.size(); ++k)
      if (r.name(r.quantities[k]) == name) return quantities_[k];
    throw std::out_of_range(name);
  }

  State start;
  System system;
  Problem problem;

 private:
  std::vector<double> quantities_;
};

// Steps to the end of the interval; returns the report of the step that failed, if one did.
inline StepReport run_to(Stepper& stepper, double stop) {
  while (stepper.time() < stop)
    if (StepReport report = stepper.step(); report.outcome != Outcome::Success) return report;
  return {};
}

// The slope of log error over log step size by least squares.
inline double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors) {
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double a = std::log(steps[k]), b = std::log(errors[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace driftless::samples
