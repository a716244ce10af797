// For the tests of boundary value problems: shipped models and models of a text, and how far a solution is from a
// formula.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "driftless/language/read.hpp"
#include "driftless/model/inputs.hpp"
#include "driftless/solve_boundary.hpp"

namespace driftless::boundary_testing {

inline Model shipped(const std::string& name, const NamedValues& parameters = {}) {
  Model model = read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/boundary/" + name + ".mo");
  return *with_inputs(std::make_shared<const Model>(std::move(model)), parameters, {});
}

inline Model from_text(const std::string& text) { return read_model_text("test.mo", text); }

// The largest |value - formula(t)| over the output points.
inline double error_of(const Solution& solution, const std::string& name,
                       const std::function<double(double)>& formula) {
  const std::vector<double> values = solution.column(name);
  double largest = solution.times.empty() ? HUGE_VAL : 0.0;
  for (std::size_t k = 0; k < values.size(); ++k)
    largest = std::max(largest, std::abs(values[k] - formula(solution.times[k])));
  return largest;
}

inline double largest_condition(const Solution& solution) {
  double largest = 0.0;
  for (const auto& condition : solution.boundary->conditions) largest = std::max(largest, condition.residual);
  return largest;
}

}  // namespace driftless::boundary_testing
