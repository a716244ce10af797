#include "driftless/integrate/steppers/work.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"
#include "driftless/integrate/system/steep_function.hpp"

namespace driftless {
namespace {

// In units of an addition: an elementary function, and the overhead of a call of a kernel or an elimination.
constexpr double of_function = 20.0, of_call = 60.0;
constexpr double of_step = 300.0;
// For a series: the overhead of every order, and the number of operations of its formulas that run in parallel, as
// orders and components are long sequences of equal operations.
constexpr double of_order = 150.0, formulas_side_by_side = 2.4;

// Partial derivatives by reverse sweeps share most of their operations with the rows.
constexpr double jacobian_by_rows = 2.5;

// Products that a processor computes in parallel.
constexpr double lanes = 3.0;

// From this many unknowns on, eliminations are sparse; the factors have `fill` times the entries. Rows this long are
// eliminated like dense ones.
constexpr double smallest_sparse = 30.0, fill = 1.5, long_row = 16.0;

// Places between the ends of a step at which exponentials are evaluated, and the cost of an exponential at one of them.
constexpr double places_of_series = 17.0, places_of_others = 5.0, of_place = 60.0;

// Slopes of an explicit step of order 8, and evaluations by Newton's iteration of rows that are nonlinear in their
// unknowns.
constexpr double slopes_per_step = 12.0, evaluations_if_nonlinear = 3.0;

// Steps of order 8 for each step of a series of order p, at the same tolerance. Both follow the distance rho to the
// next singularity, h = c rho tol^(1/order); the ratio of the constants is the median over the shipped models.
double steps_per_step_of_series(int p, double tolerance) {
  constexpr double constants = 0.53;
  return constants * std::pow(tolerance, 1.0 / p - 1.0 / 8.0);
}

bool is_function(Op op) { return op >= Op::Pow && op <= Op::Atanh; }

// x^3 is made of products, x^1.5 of these and a root.
constexpr double of_product_power = 2.0, of_root_power = 8.0, largest_product_power = 16.0;
double of_power(const Pool& pool, const Node& node) {
  if (!pool.is_constant(NodeId{node.b})) return of_function;
  const double twice = 2.0 * pool.constant_value(NodeId{node.b});
  if (std::abs(twice) > 2.0 * largest_product_power || twice != std::round(twice)) return of_function;
  return std::fmod(twice, 2.0) == 0.0 ? of_product_power : of_root_power;
}

struct Operations {
  double all = 0.0;        // weighted
  double nonlinear = 0.0;  // operations for which a series sums convolutions
  double steep = 0.0;
};

// Every node of the expressions once. Operands have smaller handles than their users, so one descent finds them all.
template <class Visit>
void visit_nodes(const Pool& pool, const std::vector<NodeId>& expressions, const Visit& visit) {
  std::vector<bool> used;
  const auto use = [&](NodeId id) { used[index(id)] = true; };
  for (const NodeId expression : expressions)
    if (index(expression) >= used.size()) used.resize(index(expression) + 1, false);
  std::ranges::for_each(expressions, use);
  NodeId buffer[3];
  for (std::size_t k = used.size(); k-- > 0;) {
    if (!used[k]) continue;
    const NodeId id{static_cast<std::uint32_t>(k)};
    visit(id);
    std::ranges::for_each(pool.operands(id, buffer), use);
  }
}

Operations operations_of(const Pool& pool, const std::vector<NodeId>& expressions) {
  Operations sum;
  visit_nodes(pool, expressions, [&](NodeId id) {
    const Node node = pool[id];
    if (node.op <= Op::Local) return;
    const bool function = is_function(node.op);
    if (is_steep_function(node.op)) sum.steep += 1.0;
    sum.all += node.op == Op::Pow ? of_power(pool, node) : function ? of_function : 1.0;
    const auto varies = [&](std::uint32_t operand) { return pool[NodeId{operand}].op > Op::Parameter; };
    if (function || node.op == Op::Call)
      sum.nonlinear += 2.0;
    else if (node.op == Op::Div ? varies(node.b) : node.op == Op::Mul && varies(node.a) && varies(node.b))
      sum.nonlinear += 1.0;
  });
  return sum;
}

// Are all partial derivatives of rows by the unknowns they are solved for independent of these unknowns?
bool are_linear(const Problem& problem, const DependentUnknowns& dependent) {
  const Reduced& r = problem.reduced();
  const Pool& pool = *problem.system().compiled().pool();
  const auto is_unknown = [&](NodeId id) {
    const Node node = pool[id];
    if (node.op != Op::Variable) return false;
    const Reduced::Address& at = r.addresses[node.a][node.b];
    return at.place == Place::Rate || (at.place == Place::Slot && dependent.unknowns.column(at.index, false) >= 0);
  };
  std::vector<NodeId> derivatives;
  for (const int e : dependent.entries) derivatives.push_back(problem.system().compiled().jacobian_expressions()[e]);
  bool none = true;
  visit_nodes(pool, derivatives, [&](NodeId id) { none = none && !is_unknown(id); });
  return none;
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
  const DependentUnknowns dependent = dependent_unknowns(problem);
  const double unknown = static_cast<double>(r.rows.size());  // the unknowns that the rows give from the states
  unknowns_ = n;
  steep_ = of_rows.steep;
  of_rows_ = of_call + of_rows.all;
  of_jacobian_ = of_call + jacobian_by_rows * of_rows.all + 2.0 * entries;
  const bool dense = n < smallest_sparse;
  const double factors = dense ? n * n : fill * entries, per_row = n > 0.0 ? factors / n : 0.0;
  of_solution_ = of_call + 2.0 * factors / (dense ? lanes : 1.0);
  of_elimination_ =
      of_call + n * per_row * per_row * (dense ? 0.67 : 0.5) / (dense || per_row > long_row ? lanes : 1.0);
  const double entries_of_unknowns = static_cast<double>(dependent.entries.size());
  const double linear = std::min(unknown, fill * entries_of_unknowns / std::max(unknown, 1.0));
  const bool is_solved = entries_of_unknowns <= unknown;  // each row gives its unknown, as der(x) = f(x)
  of_slope_ = of_rows_ + (is_solved ? 0.0 : of_call + unknown * linear * (linear / 3.0 + 2.0) / lanes);
  linear_ = are_linear(problem, dependent);
  convolutions_ = of_model.nonlinear;
  const double variables = static_cast<double>(r.model->variables.size());
  of_formulas_ = of_call + of_model.all + variables * std::min(variables, 12.0);
}

double Work::of_watch(double places) const { return places * of_place * steep_; }

double Work::of_series_step(int order) const {
  const double p = order;
  const double series = p * (of_order + of_formulas_) + p * p * convolutions_ / (2.0 * lanes);
  return of_step + of_watch(places_of_series) + series / formulas_side_by_side;
}

double Work::of_explicit_step() const {
  return of_step + of_watch(places_of_others) +
         slopes_per_step * ((linear_ ? 1.0 : evaluations_if_nonlinear) * of_slope_ + 8.0 * unknowns_ / lanes);
}

double Work::series_by_explicit(double tolerance) const {
  const int p = order_of(method::Taylor{}, tolerance);
  return of_series_step(p) / (steps_per_step_of_series(p, tolerance) * of_explicit_step());
}

double Work::operator()(const Method& method, const Statistics& counts, int order) const {
  const double steps = static_cast<double>(counts.steps + counts.rejected_steps + counts.convergence_failures);
  const double evaluations = static_cast<double>(counts.residual_evaluations);
  const double iterations = static_cast<double>(counts.newton_iterations);
  const double jacobians = static_cast<double>(counts.jacobian_evaluations);
  const double factorizations = static_cast<double>(counts.factorizations);
  const double each = of_step + of_watch(places_of_others);
  if (std::holds_alternative<method::Taylor>(method)) {
    // A rejected step keeps its series; the first one may need several, until its unit suits them.
    const double beside_series = of_step + of_watch(places_of_series), series = (evaluations - iterations) / order;
    return steps * beside_series + series * (of_series_step(order) - beside_series) +
           jacobians * (of_jacobian_ + of_elimination_);
  }
  if (std::holds_alternative<method::ExplicitRungeKutta>(method))
    return steps * each + evaluations * (of_slope_ + order * unknowns_ / lanes);
  if (std::holds_alternative<method::Radau>(method)) {
    const double stages = 0.5 * (order + 1), systems = 2.0 * stages - 1.0;
    return steps * (each + 10.0 * stages * unknowns_) + evaluations * of_rows_ +
           iterations * (systems * of_solution_ + 2.0 * stages * stages * unknowns_) + jacobians * of_jacobian_ +
           factorizations * systems * of_elimination_;
  }
  return steps * (each + 25.0 * unknowns_) + iterations * (of_rows_ + of_solution_ + 8.0 * unknowns_) +
         jacobians * of_jacobian_ + factorizations * of_elimination_;
}

}  // namespace driftless
