// Models as text or from models/, and derivatives by differences of runs of Taylor series.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "driftless/language/read.hpp"
#include "driftless/sensitivities.hpp"

namespace driftless {

inline std::shared_ptr<const Model> model_of(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::make_shared<const Model>(std::move(*model));
}

inline std::shared_ptr<const Model> shipped(const std::string& file, const ReadOptions& options = {}) {
  return std::make_shared<const Model>(read_model_file(std::string(SOURCE_FOLDER) + "/models/" + file, options));
}

inline SimulateOptions options_of(const std::string& method, double tolerance, int intervals = 4) {
  SimulateOptions options;
  options.method = *parse_method(method);
  options.tolerance = tolerance;
  options.intervals = intervals;
  return options;
}

// d/dp of all series of a run at its output points, by five points of distance h.
inline std::vector<double> differences(const Compiled& compiled, const RunInputs& inputs, const std::string& parameter,
                                       bool is_start, double value, double h) {
  const auto run = [&](double p) {
    RunInputs moved = inputs;
    (is_start ? moved.starts : moved.parameters).emplace_back(parameter, p);
    return simulate(compiled, moved).values;
  };
  const std::vector<double> a = run(value - 2 * h), b = run(value - h), c = run(value + h), d = run(value + 2 * h);
  std::vector<double> result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back((a[k] - 8 * b[k] + 8 * c[k] - d[k]) / (12 * h));
  return result;
}

// The largest difference between the sensitivities of a run and such derivatives, for each variable in units of its
// largest derivative, or of its largest value divided by that of the parameter.
inline double largest_error(const SensitiveSolution& solution, const std::string& parameter, double value,
                            const Solution& plain, const std::vector<double>& expected) {
  double largest = 0.0;
  const std::size_t series = plain.series();
  for (std::size_t k = 0; k < series; ++k) {
    if (!solution.find(sensitivity_name(plain.columns[k].name, parameter))) continue;  // invariants
    const std::vector<double> found = solution.column(sensitivity_name(plain.columns[k].name, parameter));
    double size = 1e-300, error = 0.0;
    for (std::size_t row = 0; row < found.size(); ++row) {
      const double right = expected[row * series + k];
      size = std::max({size, std::abs(right), std::abs(plain.value(row, k)) / (value != 0.0 ? std::abs(value) : 1.0)});
      const double gap = std::abs(found[row] - right);
      error = gap <= HUGE_VAL ? std::max(error, gap) : HUGE_VAL;
    }
    largest = std::max(largest, error / size);
  }
  return largest;
}

}  // namespace driftless
