#include "driftless/integrate/delivered_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-11;      // of derived equations, in units of their terms
constexpr double end_of_step = 1e3;     // Newton's iteration solves for multipliers less sharply
constexpr double least_at_end = 1e-3;   // as sharply as that at every tolerance
constexpr double between_steps = 1e3;   // derivatives of polynomials lose digits
constexpr double left_by_a_change = 0.25;  // of a residual that a change of the unknowns explains
constexpr double unresolved = 1e3 * std::numeric_limits<double>::min();  // the terms of so small a sum lose digits
constexpr double growth_of_terms = 1e4;  // since the first point; then it is asked whether they hide a residual
constexpr double unit_roundoffs = 1e3;  // what the evaluation of a residual may be wrong by

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

// The residual of every equation and its slopes by the unknowns in it, made when the first of them is asked for.
// Interpreted: few points need it, and few models at all.
class DeliveredPoint::Slopes {
 public:
  explicit Slopes(System& system) {
    const Reduced& reduced = system.reduced();
    Pool& pool = *reduced.model->pool;
    InputLayout layout;
    layout.parameters = static_cast<int>(reduced.model->parameters.size());
    layout.inputs = 1 + layout.parameters + static_cast<int>(reduced.quantities.size());
    layout.variable = [&](VarId v, int order) {
      const auto found = std::ranges::lower_bound(reduced.quantities, Quantity{v, order});
      return 1 + layout.parameters + static_cast<int>(found - reduced.quantities.begin());
    };
    std::vector<KernelSource> sources;
    std::size_t most = 0;
    for (const Constraint& check : system.checks()) {
      KernelSource& source = sources.emplace_back("slopes of a residual", std::vector<NodeId>{check.residual});
      std::vector<Unknown>& unknowns = unknowns_.emplace_back();
      for (const Partial& p : gradient(pool, check.residual)) {
        const VarId variable{static_cast<int>(pool[p.leaf].a)};
        unknowns.push_back({static_cast<std::size_t>(layout.variable(variable, static_cast<int>(pool[p.leaf].b))),
                            std::abs((*reduced.model)[variable].nominal)});
        source.outputs.push_back(p.derivative);
      }
      most = std::max(most, source.outputs.size());
    }
    kernels_ = std::move(compile(reduced.model->pool, sources, layout, Backend::Interpreter).kernels);
    inputs_.assign(layout.inputs, 0.0);
    for (int p = 0; p < layout.parameters; ++p) inputs_[1 + p] = reduced.model->parameters[p].value;
    std::size_t work = 0;
    for (const auto& kernel : kernels_) work = std::max(work, kernel->work_size());
    work_.resize(work);
    values_.resize(most);
    values_there_.resize(most);
    at_.resize(most);
  }

  void set_point(double t, std::span<const double> quantities) {
    inputs_[0] = t;
    std::ranges::copy(quantities, inputs_.end() - static_cast<std::ptrdiff_t>(quantities.size()));
  }

  // The change of the residual R when every unknown v moves by |v| + nominal, to first order.
  double change(std::size_t check) {
    (*kernels_[check])(inputs_.data(), values_.data(), work_.data());
    double sum = 0.0;
    for (std::size_t k = 0; k < unknowns_[check].size(); ++k) {
      const auto& [input, nominal] = unknowns_[check][k];
      sum += std::abs(values_[1 + k]) * (std::abs(inputs_[input]) + nominal);
    }
    return sum;
  }

  // The same as a measure for R, which vanishes when all unknowns move by the part |R| / size of that. Near a pole or a
  // kink this may be wrong, so it is tried, unless R is rounding: 0 if it does not become smaller.
  double size(std::size_t check) {
    const double size = change(check), residual = values_[0];
    const std::vector<Unknown>& unknowns = unknowns_[check];
    double of_values = 0.0;
    for (std::size_t k = 0; k < unknowns.size(); ++k) of_values += std::abs(values_[1 + k] * inputs_[unknowns[k].input]);
    if (!std::isfinite(size) || !(size > 0.0) || !std::isfinite(residual)) return 0.0;
    if (std::abs(residual) <= unit_roundoffs * std::numeric_limits<double>::epsilon() * of_values) return size;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      double& v = inputs_[unknowns[k].input];
      at_[k] = v;
      if (values_[1 + k] == 0.0) continue;
      const double way = (std::abs(v) + unknowns[k].nominal) * std::abs(residual) / size;
      v -= std::copysign(way, residual) * (values_[1 + k] < 0.0 ? -1.0 : 1.0);
    }
    (*kernels_[check])(inputs_.data(), values_there_.data(), work_.data());
    for (std::size_t k = 0; k < unknowns.size(); ++k) inputs_[unknowns[k].input] = at_[k];
    return std::abs(values_there_[0]) <= left_by_a_change * std::abs(residual) ? size : 0.0;
  }

 private:
  struct Unknown {
    std::size_t input;
    double nominal;
  };
  std::vector<std::unique_ptr<Kernel>> kernels_;  // by check, as the next
  std::vector<std::vector<Unknown>> unknowns_;
  std::vector<double> inputs_, work_, values_, values_there_, at_;
};

DeliveredPoint::DeliveredPoint(System& system, double tolerance, bool constant_steps)
    : system_(system),
      bound_(std::max(tolerance, rounding)),
      bound_of_ends_(constant_steps ? std::numeric_limits<double>::infinity()
                                    : std::max(end_of_step * tolerance, least_at_end)),
      bound_between_(constant_steps ? std::numeric_limits<double>::infinity() : between_steps * bound_),
      imposed_(imposed_levels(system)),
      residuals_and_sizes_(2 * system.checks().size()),
      relative_(system.checks().size()),
      first_sizes_(system.checks().size(), std::numeric_limits<double>::quiet_NaN()) {}

double DeliveredPoint::limit(Origin origin) const {
  return origin == Origin::Solved ? bound_ : origin == Origin::StepEnd ? bound_of_ends_ : bound_between_;
}

std::optional<DeliveredPoint::Violation> DeliveredPoint::operator()(const System::Point& at, Origin origin,
                                                                    std::span<double> quantities) {
  system_.inspect(at, quantities, residuals_and_sizes_);
  const std::size_t n = relative_.size();
  const double allowed = limit(origin);
  // What passes at the end of a step needs no closer look: it is not recorded.
  const double passes = origin == Origin::StepEnd ? allowed : bound_;
  std::optional<Violation> worst;
  double excess = 0.0;
  slopes_have_point_ = false;
  for (std::size_t k = 0; k < n; ++k) {
    const double residual = std::abs(residuals_and_sizes_[k]);
    double size = residuals_and_sizes_[n + k];
    if (residual < unresolved) {
      relative_[k] = 0.0;
    } else if (residual <= passes * size) {  // an infinite size, or one without a value, says nothing
      relative_[k] = size > 0.0 && std::isfinite(size) ? residual / size : std::isfinite(residual) ? 0.0 : HUGE_VAL;
    } else {
      size = std::max(size, slopes_at(at.t, quantities).size(k));
      relative_[k] = std::isfinite(residual) && std::isfinite(size) ? residual / size : HUGE_VAL;
    }
    if (std::isnan(first_sizes_[k])) first_sizes_[k] = size;
    if (relative_[k] <= allowed && is_hidden(k, residual, size, quantities, at.t, allowed)) {
      relative_[k] = 1.0;
      return Violation{k, at.t, residuals_and_sizes_[k], size, true};
    }
    if (!imposed_[k] || relative_[k] <= allowed || relative_[k] <= excess) continue;
    excess = relative_[k];
    worst = Violation{k, at.t, residuals_and_sizes_[k], size, false};
  }
  return worst;
}

DeliveredPoint::Slopes& DeliveredPoint::slopes_at(double t, std::span<const double> quantities) {
  if (!slopes_) slopes_ = std::make_shared<Slopes>(system_);
  if (!std::exchange(slopes_have_point_, true)) slopes_->set_point(t, quantities);
  return *slopes_;
}

bool DeliveredPoint::is_hidden(std::size_t check, double residual, double size, std::span<const double> quantities,
                               double t, double allowed) {
  if (!imposed_[check] || !(size > growth_of_terms * std::max(first_sizes_[check], 1.0)) || !std::isfinite(size))
    return false;
  const double change = slopes_at(t, quantities).change(check);
  const double rounding = unit_roundoffs * std::numeric_limits<double>::epsilon() * size;
  return change < rounding || (residual > allowed * change && residual > rounding);
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
  if (violation.hidden)
    return fmt::format("{}: {}{} says too little at t = {:.9g}: terms of the size {:.3g} cancel in it for all values of "
                       "its unknowns",
                       where, equation.text, level, violation.t, violation.size);
  return fmt::format("{}: {}{} has the residual {:.3g} at t = {:.9g}, and its terms have the size {:.3g}", where,
                     equation.text, level, violation.residual, violation.t, violation.size);
}

}  // namespace driftless
