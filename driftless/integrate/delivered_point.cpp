#include "driftless/integrate/delivered_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-11;      // of derived equations, in units of their terms
constexpr double end_of_step = 1e3;     // Newton's iteration solves for multipliers less sharply
constexpr double least_at_end = 1e-3;   // as sharply as that at every tolerance
constexpr double between_steps = 1e3;   // derivatives of polynomials lose digits

// Is the level of a constraint among the equations that are solved?
std::vector<bool> imposed_levels(const System& system) {
  const Reduced& r = system.reduced();
  std::vector<bool> imposed;
  for (const Constraint& check : system.checks()) {
    const auto is_check = [&](const auto& row) { return row.equation == check.equation && row.level == check.level; };
    if (!r.base) {  // only the minimal formulation leaves out differentiations
      imposed.push_back(r.standard || check.level == 0 || std::ranges::any_of(r.rows, is_check));
      continue;
    }
    const auto row = std::ranges::find_if(r.base->rows, is_check);
    const bool solved =
        row == r.base->rows.end() ||
        std::ranges::any_of(r.rows, [&](const DerivedEquation& other) { return other.residual == row->residual; });
    const bool solved_besides =
        r.correction != Correction::Square && std::ranges::any_of(r.invariants, is_check);
    imposed.push_back(solved || solved_besides);
  }
  return imposed;
}

}  // namespace

struct DeliveredPoint::BySlopes {
  CompiledKernels compiled;
  std::vector<double> inputs, work, sizes;
  std::vector<double> at;  // quantities of the last evaluation
  double t = std::numeric_limits<double>::quiet_NaN();
};

DeliveredPoint::DeliveredPoint(System& system, double tolerance, bool constant_steps)
    : system_(system),
      bound_(std::max(tolerance, rounding)),
      bound_of_ends_(constant_steps ? std::numeric_limits<double>::infinity()
                                    : std::max(end_of_step * tolerance, least_at_end)),
      bound_between_(constant_steps ? std::numeric_limits<double>::infinity() : between_steps * bound_),
      imposed_(imposed_levels(system)),
      residuals_and_sizes_(2 * system.checks().size()),
      relative_(system.checks().size()) {}

double DeliveredPoint::limit(Origin origin) const {
  return origin == Origin::Solved ? bound_ : origin == Origin::StepEnd ? bound_of_ends_ : bound_between_;
}

std::optional<DeliveredPoint::Violation> DeliveredPoint::operator()(const System::Point& at, Origin origin,
                                                                    std::span<double> quantities) {
  system_.inspect(at, quantities, residuals_and_sizes_);
  const std::size_t n = relative_.size();
  const double allowed = limit(origin);
  std::optional<Violation> worst;
  double excess = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const double residual = std::abs(residuals_and_sizes_[k]);
    double size = residuals_and_sizes_[n + k];
    if (residual <= bound_ * size) {  // an infinite size, or one without a value, says nothing
      relative_[k] = size > 0.0 && std::isfinite(size) ? residual / size : std::isfinite(residual) ? 0.0 : HUGE_VAL;
    } else {
      size = std::max(size, size_by_unknowns(k, quantities, at.t));
      relative_[k] = std::isfinite(residual) && std::isfinite(size) ? residual / size : HUGE_VAL;
    }
    if (!imposed_[k] || relative_[k] <= allowed || relative_[k] <= excess) continue;
    excess = relative_[k];
    worst = Violation{k, at.t, residuals_and_sizes_[k], size};
  }
  return worst;
}

// Interpreted: it is needed at few points, and by few models at all.
double DeliveredPoint::size_by_unknowns(std::size_t check, std::span<const double> quantities, double t) {
  const Reduced& r = system_.reduced();
  if (!by_slopes_) {
    by_slopes_ = std::make_shared<BySlopes>();
    Pool& pool = *r.model->pool;
    KernelSource source{"sizes by unknowns", {}};
    for (const Constraint& c : system_.checks()) {
      NodeId sum = pool.zero();
      for (const Partial& p : gradient(pool, c.residual)) {
        const double nominal = (*r.model)[VarId{static_cast<int>(pool[p.leaf].a)}].nominal;
        sum = pool.add(sum, pool.mul(pool.unary(Op::Abs, p.derivative),
                                     pool.add(pool.unary(Op::Abs, p.leaf), pool.constant(std::abs(nominal)))));
      }
      source.outputs.push_back(sum);
    }
    InputLayout layout;
    layout.parameters = static_cast<int>(r.model->parameters.size());
    layout.inputs = 1 + layout.parameters + static_cast<int>(r.quantities.size());
    layout.variable = [&](VarId v, int order) {
      const auto found = std::ranges::lower_bound(r.quantities, Quantity{v, order});
      return 1 + layout.parameters + static_cast<int>(found - r.quantities.begin());
    };
    const std::vector<KernelSource> sources{std::move(source)};
    by_slopes_->compiled = compile(r.model->pool, sources, layout, Backend::Interpreter);
    by_slopes_->inputs.assign(layout.inputs, 0.0);
    for (std::size_t p = 0; p < r.model->parameters.size(); ++p) by_slopes_->inputs[1 + p] = r.model->parameters[p].value;
    by_slopes_->work.resize(by_slopes_->compiled.kernels[0]->work_size());
    by_slopes_->sizes.resize(system_.checks().size());
  }
  BySlopes& s = *by_slopes_;
  if (t != s.t || !std::ranges::equal(quantities, s.at)) {
    s.t = t;
    s.at.assign(quantities.begin(), quantities.end());
    s.inputs[0] = t;
    std::ranges::copy(quantities, s.inputs.end() - static_cast<std::ptrdiff_t>(quantities.size()));
    (*s.compiled.kernels[0])(s.inputs.data(), s.sizes.data(), s.work.data());
  }
  return std::isfinite(s.sizes[check]) ? s.sizes[check] : 0.0;
}

std::string DeliveredPoint::describe(const Violation& violation) const {
  const Constraint& check = system_.checks()[violation.check];
  const Model& model = *system_.reduced().model;
  const Equation& equation = model[check.equation];
  const int line = model.sources->line_of(equation.range);
  std::string where = equation.label;
  if (line > 0 && where != fmt::format("line {}", line)) where += fmt::format(" (line {})", line);
  const std::string level = check.level == 0   ? ""
                            : check.level == 1 ? " (differentiated once)"
                            : check.level == 2 ? " (differentiated twice)"
                                               : fmt::format(" (differentiated {} times)", check.level);
  if (!std::isfinite(violation.residual))
    return fmt::format("{}: {}{} has no finite residual at t = {:.9g}", where, equation.text, level, violation.t);
  return fmt::format("{}: {}{} has the residual {:.3g} at t = {:.9g}, and its terms have the size {:.3g}", where,
                     equation.text, level, violation.residual, violation.t, violation.size);
}

}  // namespace driftless
