#include "tests/models/measure.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {
namespace {

// Per series: the nominal value of its variable.
std::vector<double> nominals(const Model& model, const Solution& solution) {
  std::vector<double> result(solution.series(), 1.0);
  for (const Variable& variable : model.variables)
    for (int order = 0;; ++order) {
      const auto column = solution.find(derivative_name(variable.name, order));
      if (!column) break;
      result[*column] = variable.nominal;
    }
  return result;
}

}  // namespace

void Worst::see(double candidate, const std::string& who, double when) {
  if (!std::isnan(error) && (std::isnan(candidate) || candidate > error)) *this = {candidate, who, when};
}

Worst error_against(const Reference& reference, const Model& model, const Solution& solution) {
  const std::vector<double> nominal = nominals(model, solution);
  Worst worst;
  for (const Reference::Point& point : reference.points) {
    const std::vector<double> computed = solution.at(point.t);
    for (const auto& [name, value] : point.values) {
      const auto column = solution.find(name);
      if (!column || *column >= computed.size()) throw std::out_of_range("the solution has no series " + name);
      worst.see(std::abs(computed[*column] - value) / (std::abs(value) + nominal[*column]), name, point.t);
    }
  }
  return worst;
}

Worst distance(const Model& model, const Solution& one, const Solution& other) {
  if (one.times != other.times) throw std::invalid_argument("the solutions have different output points");
  const std::vector<double> nominal = nominals(model, one);
  Worst worst;
  for (std::size_t c = 0; c < one.series(); ++c) {
    if (one.columns[c].is_derivative) continue;
    const auto twin = other.find(one.columns[c].name);
    if (!twin || *twin >= other.series()) throw std::out_of_range("only one solution has " + one.columns[c].name);
    for (std::size_t k = 0; k < one.times.size(); ++k) {
      const double a = one.value(k, c), b = other.value(k, *twin);
      worst.see(std::abs(a - b) / (std::abs(a) + nominal[c]), one.columns[c].name, one.times[k]);
    }
  }
  return worst;
}

Probe::Probe(const Model& model, NodeId expression)
    : model_(model), pool_(growable(model.pool)), expression_(expression), gradient_(gradient(*pool_, expression)) {}

Probe::Sample Probe::operator()(const Solution& solution, double t, std::span<const double> series) const {
  const Pool& pool = *pool_;
  const auto variable = [&](NodeId leaf) -> const Variable& {
    return model_[VarId{static_cast<std::int32_t>(pool[leaf].a)}];
  };
  const auto value = [&](NodeId leaf) {
    if (pool[leaf].op == Op::Time) return t;
    if (pool[leaf].op == Op::Parameter) return model_[ParamId{static_cast<std::int32_t>(pool[leaf].a)}].value;
    const auto column = solution.find(derivative_name(variable(leaf).name, static_cast<int>(pool[leaf].b)));
    return column ? series[*column] : 0.0;  // `observable` has no series: expression - 0
  };
  Sample sample{evaluate(pool, expression_, value), 0.0};
  for (const Partial& partial : gradient_)
    sample.size += std::abs(evaluate(pool, partial.derivative, value)) *
                   (std::abs(value(partial.leaf)) + variable(partial.leaf).nominal);
  return sample;
}

Worst residuals_at_steps(const Analysis& analysis, const Solution& solution) {
  const Reduced& reduced = *analysis.reduced;
  System system(analysis.reduced, Backend::Interpreter);
  const std::size_t n = reduced.slots.size();
  const std::size_t stride = 1 + solution.segments.size() / 500;
  std::vector<double> series(reduced.quantities.size()), yp(n);
  Worst worst;
  for (const Constraint& constraint : reduced.constraints) {
    if (index(constraint.equation) >= std::ssize(reduced.offsets.c)) continue;  // of an equation that was replaced
    if (constraint.level == reduced.offsets.c[index(constraint.equation)]) continue;
    const Probe probe(*reduced.model, constraint.residual);
    for (std::size_t k = 0; k < solution.segments.size(); k += stride) {
      const Segment& segment = solution.segments[k];
      const std::span y = std::span(segment.coefficients).first(n),
                      slope = std::span(segment.coefficients).subspan(n, n);
      std::ranges::transform(slope, yp.begin(), [&](double d) { return d / (segment.end - segment.begin); });
      system.observe({segment.end, y, yp}, series);
      const Probe::Sample residual = probe(solution, segment.end, series);
      worst.see(std::abs(residual.value) / residual.size, reduced.model->equations[index(constraint.equation)].label,
                segment.end);
    }
  }
  return worst;
}

}  // namespace driftless
