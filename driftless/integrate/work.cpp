#include "driftless/integrate/work.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// In units of an addition: an elementary function, and what every call of a kernel or an elimination costs besides.
constexpr double of_function = 20.0, of_call = 60.0;
constexpr double of_step = 300.0, of_order = 150.0;  // of a series

// Partial derivatives by reverse sweeps share most of their operations with the rows.
constexpr double jacobian_by_rows = 2.5;

// Products that a processor does side by side.
constexpr double lanes = 3.0;

// From so many unknowns on, eliminations are sparse.
constexpr double smallest_sparse = 30.0;

bool is_function(Op op) { return op >= Op::Pow && op <= Op::Atanh; }

struct Operations {
  double all = 0.0;         // weighted
  double nonlinear = 0.0;   // those that a series sums convolutions for
};

// Every node once.
template <class Expressions>
Operations operations_of(const Pool& pool, const Expressions& expressions) {
  Operations sum;
  std::vector<bool> seen;
  for (const NodeId expression : expressions)
    for (const NodeId id : nodes_of(pool, expression)) {
      const std::size_t k = static_cast<std::size_t>(id);
      if (k >= seen.size()) seen.resize(k + 1, false);
      if (seen[k]) continue;
      seen[k] = true;
      const Node node = pool[id];
      if (node.op <= Op::Local) continue;
      const bool function = is_function(node.op);
      sum.all += function ? of_function : 1.0;
      const auto varies = [&](std::uint32_t operand) { return pool[NodeId{operand}].op > Op::Parameter; };
      if (function || node.op == Op::Call)
        sum.nonlinear += 2.0;
      else if (node.op == Op::Div ? varies(node.b) : node.op == Op::Mul && varies(node.a) && varies(node.b))
        sum.nonlinear += 1.0;
    }
  return sum;
}

}  // namespace

Work::Work(const Problem& problem) {
  const Reduced& r = problem.reduced();
  const Pool& pool = *r.model->pool;
  std::vector<NodeId> rows, equations;
  for (const DerivedEquation& row : r.rows) rows.push_back(row.residual);
  for (const Kinematic& kinematic : r.kinematics) rows.push_back(kinematic.rate);
  for (const Equation& equation : r.model->equations) equations.push_back(equation.residual);
  const Operations of_rows = operations_of(pool, rows), of_model = operations_of(pool, equations);

  const double n = problem.size(), entries = static_cast<double>(problem.pattern().rows.size());
  const double unknown = static_cast<double>(r.rows.size());  // what the rows give, the states being known
  unknowns_ = n;
  of_rows_ = of_call + of_rows.all;
  of_jacobian_ = of_call + jacobian_by_rows * of_rows.all + 2.0 * entries;
  const bool dense = n < smallest_sparse;
  const double factors = dense ? n * n : 2.5 * entries, per_row = n > 0.0 ? factors / n : 0.0;
  of_solution_ = of_call + 2.0 * factors / (dense ? lanes : 1.0);
  of_elimination_ = of_call + n * per_row * per_row * (dense ? 0.67 / lanes : 0.5);
  const double linear = std::min(unknown, per_row * std::sqrt(std::max(unknown, 1.0)));
  of_slope_ = of_rows_ + of_call + unknown * linear * (linear / 3.0 + 2.0) / lanes;
  convolutions_ = of_model.nonlinear;
  const double variables = static_cast<double>(r.model->variables.size());
  of_formulas_ = of_call + of_model.all + variables * std::min(variables, 12.0);
}

double Work::operator()(const Method& method, const Statistics& counts, int order) const {
  const double steps = static_cast<double>(counts.steps + counts.rejected_steps + counts.convergence_failures);
  const double evaluations = static_cast<double>(counts.residual_evaluations);
  const double iterations = static_cast<double>(counts.newton_iterations);
  const double jacobians = static_cast<double>(counts.jacobian_evaluations);
  const double factorizations = static_cast<double>(counts.factorizations);
  if (std::holds_alternative<method::Taylor>(method)) {
    const double p = order;
    const double series = p * (of_order + of_formulas_) + p * p * convolutions_ / (2.0 * lanes);
    return steps * (of_step + series) + jacobians * (of_jacobian_ + of_elimination_);
  }
  if (std::holds_alternative<method::ExplicitRungeKutta>(method))
    return steps * of_step + evaluations * (of_slope_ + order * unknowns_ / lanes);
  if (std::holds_alternative<method::Radau>(method)) {
    const double stages = 0.5 * (order + 1), systems = 2.0 * stages - 1.0;
    return steps * (of_step + 10.0 * stages * unknowns_) + evaluations * of_rows_ +
           iterations * (systems * of_solution_ + 2.0 * stages * stages * unknowns_) + jacobians * of_jacobian_ +
           factorizations * systems * of_elimination_;
  }
  return steps * (of_step + 25.0 * unknowns_) + iterations * (of_rows_ + of_solution_ + 8.0 * unknowns_) +
         jacobians * of_jacobian_ + factorizations * of_elimination_;
}

}  // namespace driftless
