#include "driftless/compare.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {
namespace {

constexpr double reference_factor = 1e-3;
constexpr double smallest_reference_tolerance = 1e-12;

// A formulation that creeps is given up: the reference, much more accurate, says what a fair number of steps is.
constexpr long most_steps_per_reference_step = 20;
constexpr long least_step_limit = 10'000;

std::vector<Formulation> all_formulations() {
  std::vector<Formulation> all;
  for (const std::string& name : formulation_names()) all.push_back(*parse_formulation(name));
  return all;
}

struct Measured {
  std::string name;
  double nominal;
};

// Everything but the highest derivatives, which inherit their accuracy and have no tolerance of their own; everything
// where that is nothing, in a model without derivatives.
std::vector<Measured> measured_quantities(const Reduced& reduced) {
  std::vector<Measured> lower, all;
  for (const Quantity q : reduced.quantities) {
    const Measured measured{reduced.name(q), (*reduced.model)[q.variable].nominal};
    all.push_back(measured);
    if (q.order < reduced.offsets.d[index(q.variable)]) lower.push_back(measured);
  }
  return lower.empty() ? all : lower;
}

// The same start, stop and number of intervals: row by row the times are the same. All runs begin at the same point.
double largest_error(const Solution& solution, const Solution& reference, const std::vector<Measured>& quantities) {
  double largest = std::numeric_limits<double>::quiet_NaN();
  const std::size_t rows = std::min(solution.times.size(), reference.times.size());
  for (const Measured& measured : quantities) {
    const auto own = solution.find(measured.name), exact = reference.find(measured.name);
    if (!own || !exact) continue;
    for (std::size_t row = 1; row < rows; ++row) {
      const double value = reference.value(row, *exact);
      const double error = std::abs(solution.value(row, *own) - value) / (std::abs(value) + measured.nominal);
      if (!(error <= largest)) largest = error;
    }
  }
  return largest;
}

std::vector<double> drift_by_level(const Solution& solution) {
  std::vector<double> largest(solution.drift_levels, 0.0);
  for (const CertificateEntry& entry : solution.certificate) {
    double& drift = largest[static_cast<std::size_t>(entry.level)];
    if (entry.max_residual > drift || std::isnan(entry.max_residual)) drift = entry.max_residual;
  }
  return largest;
}

ComparedRun measured(const Solution& solution, const std::string& formulation) {
  ComparedRun run;
  run.formulation = formulation;
  run.tolerance = solution.tolerance;
  run.outcome = solution.outcome;
  run.reached = solution.reached;
  run.statistics = solution.statistics;
  if (solution.times.size() > 1) run.drift = drift_by_level(solution);
  run.times = solution.times;
  for (std::size_t row = 0; solution.drift_levels > 0 && row < solution.times.size(); ++row)
    run.residual.push_back(solution.constraint_drift[row * solution.drift_levels]);
  return run;
}

std::string reason(const ModelError& error, const std::string& formulation) {
  const std::vector<Diagnostic>& all = error.diagnostics().all();
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  const std::string text = first == all.end() ? error.what() : first->message;
  const std::string known = formulation + " does not apply: ";
  return text.starts_with(known) ? text.substr(known.size()) : text;
}

}  // namespace

Comparison compare(std::shared_ptr<const Model> model, const CompareOptions& options) {
  const auto formulations = options.formulations.empty() ? all_formulations() : options.formulations;
  auto tolerances = options.tolerances;
  if (tolerances.empty()) tolerances.push_back(model->experiment.tolerance.value_or(1e-6));

  SimulateOptions simulation = options.simulate;
  simulation.dense = false;
  simulation.tolerance = std::max(reference_factor * std::ranges::min(tolerances), smallest_reference_tolerance);
  const Analysis dummy = analyze(model);
  const Solution reference = simulate(dummy, simulation);
  const std::vector<Measured> quantities = measured_quantities(*dummy.reduced);

  Comparison comparison;
  comparison.model = reference.model;
  comparison.start = reference.start;
  comparison.stop = reference.stop;
  comparison.reference_tolerance = reference.tolerance;
  comparison.reference_outcome = reference.outcome;
  comparison.reference_reached = reference.reached;
  if (reference.outcome == Outcome::Interrupted) return comparison;

  const long fair = std::max(least_step_limit, most_steps_per_reference_step * reference.statistics.steps);
  simulation.max_steps = std::min(simulation.max_steps, fair);
  for (const Formulation& formulation : formulations) {
    const std::string name = to_string(formulation);
    Analysis analysis;
    try {
      analysis = analyze(model, formulation);
    } catch (const ModelError& error) {
      comparison.runs.push_back({.formulation = name, .not_applicable = reason(error, name)});
      continue;
    }
    for (const double tolerance : tolerances) {
      simulation.tolerance = tolerance;
      const Solution solution = simulate(analysis, simulation);
      comparison.runs.push_back(measured(solution, name));
      comparison.runs.back().error = largest_error(solution, reference, quantities);
      if (solution.outcome == Outcome::Interrupted) return comparison;
    }
  }
  return comparison;
}

}  // namespace driftless
