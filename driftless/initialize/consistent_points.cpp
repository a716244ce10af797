#include "driftless/initialize/consistent_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/start.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr std::size_t largest_part = 200;  // equations: matrices are dense
constexpr double move = 0.05;              // of the nominal value
constexpr double rank_gap = 1e-9;
constexpr double vanishes = 1e-9;  // of the terms of an equation

// Removes the conditions and changes the starts.
void move_starts(InitialProblem& problem, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> way(-move, move);
  for (InitialUnknown& unknown : problem.unknowns)
    if (unknown.is_candidate()) unknown.guess += way(random) * unknown.nominal;
  for (std::size_t i = problem.rows.size(); i-- > 0;)
    if (problem.rows[i].kind != InitialRow::Kind::Equation) {
      problem.rows.erase(problem.rows.begin() + static_cast<std::ptrdiff_t>(i));
      problem.gradients.erase(problem.gradients.begin() + static_cast<std::ptrdiff_t>(i));
    }
  problem.conditions = 0;
}

}  // namespace

double ConsistentPoint::operator()(NodeId leaf) const {
  const Node& node = (*model->pool)[leaf];
  if (node.op == Op::Time) return t;
  if (node.op == Op::Parameter) return parameters[node.a];
  if (node.a >= values.size() || node.b >= values[node.a].size()) return std::nan("");
  return values[node.a][node.b];
}

std::optional<ConsistentPoint> consistent_point(const Reduced& reduced, double t, std::optional<unsigned> seed) {
  Diagnostics unseen;
  InitialProblem problem = make_initial_problem(reduced, unseen);
  if (unseen.has_errors()) return {};
  if (seed) move_starts(problem, *seed);
  const FoundStart found = find_start(*reduced.model, problem, t);
  if (!found.solved) return {};
  const std::vector<double> parameters = parameters_of(*reduced.model, problem, found.values);
  return ConsistentPoint{reduced.model.get(), t, parameters, values_of(reduced, problem, found.values, parameters, t)};
}

bool holds_at(const Model& model, const Equation& equation, int order, const ConsistentPoint& point) {
  Pool& pool = *model.pool;
  TimeDerivative derivative(pool);
  for (int level = 0; level <= order; ++level) {
    const NodeId residual = derivative(equation.residual, level);
    double size = 0.0;
    for (const Partial& p : gradient(pool, residual)) {
      const double value = point(p.leaf);
      if (std::isnan(value)) return level > 0;
      size += std::abs(evaluate(pool, p.derivative, std::cref(point))) *
              (std::abs(value) + model.variables[pool[p.leaf].a].nominal);
    }
    if (!(std::abs(evaluate(pool, residual, std::cref(point))) <= vanishes * size)) return false;
  }
  return true;
}

std::vector<structure::Block> constrained_parts(const Model& model, const structure::Structure& shape) {
  const structure::Signature pattern = structure::system_jacobian_pattern(signature_of(model), shape.offsets);
  std::vector<structure::Row> rows;
  std::vector<structure::Col> cols;
  for (int i = 0; i < static_cast<int>(model.equations.size()); ++i) rows.push_back(structure::Row{i});
  for (int j = 0; j < static_cast<int>(model.variables.size()); ++j) cols.push_back(structure::Col{j});
  std::vector<structure::Block> result;
  for (structure::Component& part : structure::connected_components(pattern, rows, cols))
    if (part.rows.size() >= 2 && part.rows.size() <= largest_part && part.rows.size() == part.cols.size() &&
        std::ranges::any_of(part.rows, [&](structure::Row row) { return shape.offsets.c[index(row)] > 0; }))
      result.push_back({std::move(part.rows), std::move(part.cols)});
  return result;
}

Eigen::MatrixXd jacobian_of(const Model& model, const structure::Offsets& offsets, const structure::Block& part,
                            const Leaves& at) {
  const auto n = static_cast<Eigen::Index>(part.rows.size());
  std::map<int, Eigen::Index> place;
  for (Eigen::Index k = 0; k < n; ++k) place[index(part.cols[k])] = k;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int i = index(part.rows[k]);
    for (const Partial& p : gradient(*model.pool, model.equations[i].residual)) {
      const Node& leaf = (*model.pool)[p.leaf];
      const auto col = place.find(static_cast<int>(leaf.a));
      if (col == place.end() || static_cast<int>(leaf.b) != offsets.d[leaf.a] - offsets.c[i]) continue;
      jacobian(k, col->second) = evaluate(*model.pool, p.derivative, at) * model.variables[leaf.a].nominal;
    }
    if (const double size = jacobian.row(k).cwiseAbs().maxCoeff(); size > 0.0) jacobian.row(k) /= size;
  }
  return jacobian;
}

bool is_singular(const Eigen::VectorXd& singular_values) {
  return singular_values[singular_values.size() - 1] <= rank_gap * singular_values[0];
}

}  // namespace driftless
