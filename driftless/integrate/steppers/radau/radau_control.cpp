#include "driftless/integrate/steppers/radau/radau_control.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double safety = 0.9;
constexpr double largest_growth = 8.0, largest_cut = 5.0;
constexpr int steps_of_calm = 5;        // for this many steps after a failure of Newton's iteration,
constexpr double growth_in_calm = 1.3;  // growth is limited to this
constexpr double good_rate = 0.15;      // the rate of Newton's iteration beyond which the step size does not grow

constexpr int steps_before_change = 4;
constexpr double worthwhile = 0.9;        // the order changes if this part of the work is predicted
constexpr double of_factorization = 4.0;  // its work, in units of that of an iteration
constexpr double steady_from = 0.8, steady_to = 1.2;

// The expected work with another number of stages over the same interval, relative to the present one.
//
// The error test, of the order h^(s+1), allows a step size proportional to (10 tolerance)^(1/(s+1)) with much the
// same factor for all s. An iteration solves a real and (s-1)/2 complex systems, which cost four times as much. Its
// rate is about proportional to the step size.
double expected_work(const RadauControl::Step& step, const RadauControl::Order& other) {
  const double s = step.order.stages, r = other.stages;
  const double rate = std::clamp(step.rate, 1e-6, 0.5);
  double growth =
      std::pow(10.0 * other.tolerance, 1.0 / (r + 1.0)) / std::pow(10.0 * step.order.tolerance, 1.0 / (s + 1.0));
  if (growth > 1.0) growth = std::min(growth, std::max(1.0, good_rate / rate));
  const double rate_then = std::clamp(rate * growth, 1e-6, 0.5);
  const double iterations = 1.0 + (step.iterations - 1.0) * std::log(rate) / std::log(rate_then);
  return (2.0 * r - 1.0) / (2.0 * s - 1.0) * (of_factorization + iterations) / (of_factorization + step.iterations) /
         growth;
}

}  // namespace

void RadauControl::start() {
  steps_of_order_ = calm_ = 0;
  last_error_ = 1e-2;
}

void RadauControl::note_failure_of_iteration() { calm_ = steps_of_calm; }

void RadauControl::note_accepted(double error) {
  last_error_ = std::max(error, 1e-2);
  if (calm_ > 0) --calm_;
}

void RadauControl::note_order() { steps_of_order_ = 0; }

double RadauControl::next_size(const Step& step) const {
  const double h = step.h, error = step.error;
  const double exponent = 1.0 / (step.order.stages + 1.0), many = 2.0 * step.order.most_iterations;
  const double factor = safety * (1.0 + many) / (step.iterations + many);
  double shrink = std::clamp(std::pow(error, exponent) / factor, 1.0 / largest_growth, largest_cut);
  if (error >= 1.0) return h / shrink;
  if (step.last_step > 0.0) {
    const double predicted = step.last_step / h * std::pow(error * error / last_error_, exponent) / safety;
    shrink = std::max(shrink, std::clamp(predicted, 1.0 / largest_growth, largest_cut));
  }
  if (step.iterations > 1) shrink = std::max(shrink, std::min(1.0, step.rate / good_rate));
  if (calm_ > 0) shrink = std::max(shrink, 1.0 / growth_in_calm);
  if (step.failures > 0) shrink = std::max(shrink, 1.0);
  return h / shrink;
}

// The order is raised only while the step size hardly changes; it is also lowered if Newton's iteration fails
// repeatedly.
RadauControl::Change RadauControl::change_of_order(const Step& step, double next, const Order* above,
                                                   const Order* below) {
  if (++steps_of_order_ < steps_before_change) return Change::None;
  const bool is_steady = steady_from * step.h < next && next < steady_to * step.h && calm_ == 0;
  if (is_steady && above && expected_work(step, *above) < worthwhile) return Change::Up;
  return below && expected_work(step, *below) < worthwhile ? Change::Down : Change::None;
}

}  // namespace driftless
