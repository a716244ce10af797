#include "driftless/integrate/run/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/integrate/run/fastest_mode.hpp"
#include "driftless/linear/svd.hpp"
#include "driftless/reduce/undefined.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_lines = 4;
constexpr int largest_dense = 400;
constexpr double nearly_singular = 1e-4;  // singular value of a matrix whose entries are at most 1
constexpr double takes_part = 0.3;        // of the largest component of a singular vector
constexpr double beyond_bounds = 1e6;     // in units of the nominal value
constexpr double at_the_edge = 1e-9;
constexpr double does_not_hold = 1e-8;
constexpr double bounds_steps = 1.0;  // h r, of a mode that decays at the rate r
constexpr int iterations = 20;        // of the power method

std::string times(int level) {
  return level == 0   ? ""
         : level == 1 ? " (differentiated once)"
         : level == 2 ? " (differentiated twice)"
                      : fmt::format(" (differentiated {} times)", level);
}

std::string title(const Model& model, EqnId id, int level = 0) {
  return fmt::format("{}: {}{}", model[id].label, model[id].text, times(level));
}

// The value of every leaf of the user's equations at a point.
class ValuesAt {
 public:
  ValuesAt(System& system, const System::Point& at, const Pool& pool)
      : reduced_(system.reduced()),
        pool_(pool),
        parameters_(system.parameters()),
        t_(at.t),
        values_(reduced_.quantities.size()) {
    system.observe(at, values_);
  }

  double operator()(NodeId leaf) const {
    const Node& node = pool_[leaf];
    if (node.op == Op::Time) return t_;
    if (node.op == Op::Parameter) return parameters_[node.a];
    const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
    const auto found = std::ranges::lower_bound(reduced_.quantities, q);
    return found != reduced_.quantities.end() && *found == q
               ? values_[static_cast<std::size_t>(found - reduced_.quantities.begin())]
               : std::nan("");
  }

 private:
  const Reduced& reduced_;
  const Pool& pool_;
  std::span<const double> parameters_;
  double t_;
  std::vector<double> values_;
};

// The derivatives of the rows by everything but the states: where this matrix is singular, its singular vectors show
// which unknowns are undetermined.
struct AlgebraicPart {
  struct Unknown {
    int slot;
    bool rate;
  };
  std::vector<Unknown> unknowns;
  Eigen::MatrixXd
      matrix;  // columns in units of the unknowns, rows by their largest derivative, that for states and time included
};

AlgebraicPart algebraic_part(Problem& problem, const System::Point& at) {
  System& system = problem.system();
  const Reduced& r = problem.reduced();
  AlgebraicPart part;
  std::vector<int> column_y(r.slots.size(), -1), column_yp(r.slots.size(), -1);
  const auto add = [&](std::vector<int>& columns, int slot, bool rate) {
    columns[slot] = static_cast<int>(part.unknowns.size());
    part.unknowns.push_back({slot, rate});
  };
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) add(column_yp, r.slot_of(q), true);
  for (int s = 0; s < system.size(); ++s)
    if (!problem.is_whole_state(s)) add(column_y, s, false);

  const auto& entries = system.jacobian_entries();
  std::vector<double> values(entries.size());
  system.jacobian(at, values);
  const std::shared_ptr<Pool> own = growable(r.model->pool);
  Pool& pool = *own;
  const ValuesAt value_of_leaf(system, at, pool);
  std::vector<double> largest;
  for (const DerivedEquation& row : r.rows)
    largest.push_back(std::abs(evaluate(pool, partial(pool, row.residual, pool.time()), std::cref(value_of_leaf))));
  part.matrix.setZero(system.rows(), static_cast<Eigen::Index>(part.unknowns.size()));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row >= system.rows()) continue;
    const double unknown = (entries[e].rate ? at.yp : at.y)[entries[e].slot];
    const double entry = values[e] * (std::abs(unknown) + r.slots[entries[e].slot].nominal);
    largest[entries[e].row] = std::max(largest[entries[e].row], std::abs(entry));
    if (const int column = (entries[e].rate ? column_yp : column_y)[entries[e].slot]; column >= 0)
      part.matrix(entries[e].row, column) += entry;
  }
  for (Eigen::Index i = 0; i < part.matrix.rows(); ++i)
    if (largest[i] > 0.0) part.matrix.row(i) /= largest[i];
  return part;
}

std::vector<int> large_components(const Eigen::VectorXd& v) {
  std::vector<int> found;
  const double largest = v.cwiseAbs().maxCoeff();
  for (int k = 0; k < v.size(); ++k)
    if (std::abs(v[k]) >= takes_part * largest) found.push_back(k);
  return found;
}

std::vector<std::string> at_most(std::vector<std::string> names) {
  if (names.size() > most_lines) {
    names.resize(most_lines);
    names.push_back("...");
  }
  return names;
}

// The rows and unknowns with large components in the singular vectors of the smallest singular value, if it is small.
struct SingularRows {
  std::vector<int> rows;
  std::vector<AlgebraicPart::Unknown> unknowns;
};

std::optional<SingularRows> singular_rows(Problem& problem, const System::Point& at) {
  if (problem.system().rows() == 0 || problem.system().rows() > largest_dense) return {};
  if (leaves_more_than_states(problem)) return {};  // singular everywhere, by its structure
  const AlgebraicPart part = algebraic_part(problem, at);
  if (part.matrix.rows() != part.matrix.cols() || !part.matrix.allFinite()) return {};
  const linear::Svd svd = linear::svd(part.matrix);
  const Eigen::Index last = part.matrix.rows() - 1;
  if (svd.values[last] > nearly_singular) return {};
  SingularRows found{large_components(svd.U.col(last)), {}};
  for (const int k : large_components(svd.V.col(last))) found.unknowns.push_back(part.unknowns[k]);
  return found;
}

void explain_singular(Problem& problem, const System::Point& at, std::vector<std::string>& details) {
  const Reduced& r = problem.reduced();
  const auto found = singular_rows(problem, at);
  if (!found) return;
  std::vector<std::string> rows, unknowns;
  for (const int i : found->rows) rows.push_back(title(*r.model, r.rows[i].equation, r.rows[i].level));
  for (const auto& [slot, rate] : found->unknowns) {
    const Quantity q = r.slots[slot].quantity;
    unknowns.push_back(r.name({q.variable, q.order + (rate ? 1 : 0)}));
  }
  details.push_back(fmt::format("the model is singular here: {} {} no longer determined by {}",
                                fmt::join(at_most(unknowns), ", "), unknowns.size() == 1 ? "is" : "are",
                                fmt::join(at_most(rows), "; ")));
}

// Is the point on the edge between two values of a step function or of a condition?
bool switches(const Pool& pool, NodeId id, const std::function<double(NodeId)>& value_of_leaf) {
  const Node& node = pool[id];
  const auto operand = [&](int k) { return evaluate(pool, node.operand(k), value_of_leaf); };
  const auto meet = [](double a, double b) { return std::abs(a - b) <= at_the_edge * (1.0 + std::abs(a)); };
  switch (node.op) {
    case Op::Sign: return meet(0.0, operand(0));
    case Op::Floor:
    case Op::Ceil: return meet(std::round(operand(0)), operand(0));
    case Op::Less:
    case Op::LessEqual: return meet(operand(0), operand(1));
    default: return false;
  }
}

// Explains jumps: without events no step can cross a jump that affects the solution.
void explain_jumps(System& system, const System::Point& at, std::vector<std::string>& details) {
  const Model& model = *system.reduced().model;
  const Pool& pool = *model.pool;
  const ValuesAt value_of_leaf(system, at, pool);
  for (std::size_t i = 0; i < model.equations.size() && details.size() < most_lines; ++i)
    for (const NodeId id : nodes_of(pool, model.equations[i].residual))
      if (varies(pool, id) && switches(pool, id, std::cref(value_of_leaf))) {
        details.push_back(fmt::format("in {}: {} changes its value here; jumps during the run are not supported yet",
                                      title(model, EqnId{static_cast<int>(i)}), to_string(pool, id, names_of(model))));
        break;
      }
}

// Finds derivatives without a value that Newton's iteration needs, although all equations have values: that of sqrt(x)
// at x = 0.
std::vector<std::string> missing_derivatives(System& system, const System::Point& at) {
  const Reduced& r = system.reduced();
  const std::vector<System::Entry>& entries = system.jacobian_entries();
  std::vector<double> values(entries.size());
  system.jacobian(at, values);
  std::vector<std::string> details;
  for (std::size_t k = 0; k < entries.size() && details.size() < most_lines; ++k) {
    if (std::isfinite(values[k])) continue;
    const System::Entry& entry = entries[k];
    const Quantity slot = r.slots[entry.slot].quantity;
    const std::string name = r.name({slot.variable, slot.order + entry.rate});
    const int row = entry.row;
    const std::string what =
        row < system.rows() ? title(*r.model, r.rows[row].equation, r.rows[row].level)
                            : "the derivative of " + r.name(r.slots[r.kinematics[row - system.rows()].slot].quantity);
    details.push_back(fmt::format("{} has no finite slope in {} at {} = {:.6g}", what, name, name,
                                  entry.rate ? at.yp[entry.slot] : at.y[entry.slot]));
  }
  return details;
}

}  // namespace

std::vector<std::string> explain_undefined(System& system, const System::Point& at) {
  const Reduced& r = system.reduced();
  const Model& model = *r.model;
  const ValuesAt value_of_leaf(system, at, *system.reduced().model->pool);
  std::vector<std::string> details;
  const auto examine = [&](NodeId expression, EqnId equation, int level) {
    if (details.size() >= most_lines) return;
    if (const std::string what = undefined_operation(model, expression, std::cref(value_of_leaf)); !what.empty())
      details.push_back(fmt::format("in {}: {}", title(model, equation, level), what));
  };
  // The user's own equations first; derived ones only if these have values.
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    examine(model.equations[i].residual, EqnId{static_cast<int>(i)}, 0);
  if (!details.empty()) return details;
  for (const Definition& definition : r.definitions) examine(definition.value, definition.equation, definition.level);
  for (const DerivedEquation& row : r.rows) examine(row.residual, row.equation, row.level);
  return details.empty() ? missing_derivatives(system, at) : details;
}

std::vector<EqnId> singular_equations(Problem& problem, const System::Point& at) {
  std::vector<EqnId> equations;
  if (const auto found = singular_rows(problem, at))
    for (const int i : found->rows) equations.push_back(problem.reduced().rows[i].equation);
  return equations;
}

std::vector<std::string> explain_breakdown(Problem& problem, const System::Point& at) {
  const Reduced& r = problem.reduced();
  std::vector<std::string> details;
  std::size_t fastest = 0;
  double rate = 0.0;
  for (std::size_t s = 0; s < at.y.size(); ++s)
    if (const double v = std::abs(at.yp[s]) / (std::abs(at.y[s]) + r.slots[s].nominal); v > rate) rate = v, fastest = s;
  std::vector<std::string> singular;
  explain_singular(problem, at, singular);
  const bool explodes =
      std::abs(at.y[fastest]) > beyond_bounds * r.slots[fastest].nominal && at.y[fastest] * at.yp[fastest] > 0.0;
  if (rate > 0.0 && (explodes || singular.empty())) {  // where the model is singular, fast motion is not the cause
    const Quantity q = r.slots[fastest].quantity, above{q.variable, q.order + 1};
    const auto rate_of = std::ranges::find(r.definitions, above, &Definition::quantity);
    details.push_back(fmt::format(
        "{} = {:.6g} {}, at a rate of {:.3g}{}", r.name(q), at.y[fastest],
        explodes ? "grows beyond all bounds" : "changes fastest", at.yp[fastest],
        rate_of == r.definitions.end() ? "" : " given by " + title(*r.model, rate_of->equation, rate_of->level)));
  }
  explain_jumps(problem.system(), at, details);
  details.insert(details.end(), singular.begin(), singular.end());

  std::vector<double> residual(problem.size());
  problem.residual(at.t, at.y, at.yp, residual);
  residual.resize(problem.system().rows());
  const auto worst = std::ranges::max_element(residual, {}, [](double v) { return std::abs(v); });
  if (worst != residual.end() && std::abs(*worst) > does_not_hold)
    details.push_back(fmt::format("the equation least satisfied is {}, residual {:.3g}",
                                  problem.name_of_equation(static_cast<int>(worst - residual.begin())), *worst));
  return details;
}

std::string explain_short_steps(Problem& problem, const System::Point& at, double h) {
  FastestMode fastest(problem);
  std::optional<Mode> mode;
  for (int k = 0; k < iterations; ++k) mode = fastest(at.t, at.y, at.yp);
  if (!mode || !mode->mostly_decays() || h * mode->decay < bounds_steps) return {};
  return fmt::format(
      "the model is stiff here: a mode decays at the rate {:.2g}, which bounds these steps; bdf, radau and auto can "
      "take "
      "longer ones",
      mode->decay);
}

}  // namespace driftless
