#include "driftless/reduce/physical_reasons.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <Eigen/Core>
#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/list_names.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

using structure::Col;
using structure::Row;

constexpr std::size_t largest = 400;      // variables of a part that is examined
constexpr double rounding = 1e-10;        // of entries that are at most 1
constexpr unsigned seeds[] = {11u, 12u};  // of generic points

std::string names_of(const Model& model, const std::vector<int>& variables) {
  std::vector<std::string> names;
  for (const int j : variables) names.push_back(model.variables[static_cast<std::size_t>(j)].name);
  return list_names(std::move(names));
}

std::set<int> variables_in(const Model& model, const Equation& equation) {
  std::set<int> found;
  for (const NodeId leaf : variables_of(*model.pool, equation.residual))
    found.insert(static_cast<int>((*model.pool)[leaf].a));
  return found;
}

struct Part {
  std::vector<int> equations, variables;  // ascending
};

// Everything connected with the given rows and columns; nothing if it is too large.
std::optional<Part> connected_part(const Model& model, const std::vector<Row>& rows, const std::vector<Col>& cols) {
  std::vector<std::set<int>> in_equation;
  std::vector<std::vector<int>> with_variable(model.variables.size());
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    in_equation.push_back(variables_in(model, model.equations[i]));
    for (const int j : in_equation.back()) with_variable[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
  }
  std::set<int> equations, variables;
  std::vector<int> waiting;
  const auto add_variable = [&](int j) {
    if (variables.insert(j).second) waiting.push_back(j);
  };
  const auto add_equation = [&](int i) {
    if (equations.insert(i).second)
      for (const int j : in_equation[static_cast<std::size_t>(i)]) add_variable(j);
  };
  for (const Row i : rows) add_equation(index(i));
  for (const Col j : cols) add_variable(index(j));
  while (!waiting.empty() && variables.size() <= largest) {
    const int j = waiting.back();
    waiting.pop_back();
    for (const int i : with_variable[static_cast<std::size_t>(j)]) add_equation(i);
  }
  if (variables.size() > largest) return {};
  return Part{{equations.begin(), equations.end()}, {variables.begin(), variables.end()}};
}

// A row for each equation and each order of derivatives in it: its slopes by the variables in that order. The kernel
// consists of the functions of time that can be added to the variables. Empty if some slope has no value.
Eigen::MatrixXd slopes_of(const Model& model, const Part& part, const GenericPoint& point) {
  Pool& pool = *model.pool;
  std::map<int, int> column;
  for (const int j : part.variables) column.emplace(j, static_cast<int>(column.size()));
  std::vector<Eigen::VectorXd> rows;
  for (const int i : part.equations) {
    std::map<int, Eigen::VectorXd> by_order;
    for (const Partial& p : gradient(pool, model.equations[static_cast<std::size_t>(i)].residual)) {
      const double slope = evaluate(pool, p.derivative, std::cref(point));
      if (!std::isfinite(slope)) return {};
      auto [row, fresh] = by_order.try_emplace(static_cast<int>(pool[p.leaf].b));
      if (fresh) row->second.setZero(static_cast<Eigen::Index>(column.size()));
      row->second[column.at(static_cast<int>(pool[p.leaf].a))] += slope;
    }
    for (const auto& [order, row] : by_order)
      if (const double size = row.cwiseAbs().maxCoeff(); size > 0.0) rows.emplace_back(row / size);
  }
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(column.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) matrix.row(static_cast<Eigen::Index>(k)) = rows[k].transpose();
  return matrix;
}

// The kernel in reduced echelon form, a vector in each row: disjoint sets of variables that can be shifted together
// have a vector each.
Eigen::MatrixXd echelon_of_kernel(const Eigen::MatrixXd& matrix) {
  Eigen::MatrixXd basis = linear::FullLu(matrix, rounding).kernel().transpose();
  if (basis.rows() == 0) return {};
  Eigen::Index pivot = 0;
  for (Eigen::Index col = 0; col < basis.cols() && pivot < basis.rows(); ++col) {
    Eigen::Index best = 0;
    const double size = basis.col(col).tail(basis.rows() - pivot).cwiseAbs().maxCoeff(&best);
    if (size <= rounding) continue;
    basis.row(pivot).swap(basis.row(pivot + best));
    basis.row(pivot) /= basis(pivot, col);
    for (Eigen::Index other = 0; other < basis.rows(); ++other)
      if (other != pivot) basis.row(other) -= basis(other, col) * basis.row(pivot).eval();
    ++pivot;
  }
  return basis;
}

// The variables of a vector of ones and zeros with at least two ones; none for other vectors.
std::vector<int> moved_together(const Eigen::VectorXd& vector, const Part& part) {
  std::vector<int> moved;
  for (Eigen::Index k = 0; k < vector.size(); ++k) {
    if (std::abs(vector[k] - 1.0) <= 1e-8)
      moved.push_back(part.variables[static_cast<std::size_t>(k)]);
    else if (std::abs(vector[k]) > 1e-8)
      return {};
  }
  return moved.size() < 2 ? std::vector<int>() : moved;
}

bool has_derivative(const Model& model, const Equation& equation) {
  return std::ranges::any_of(variables_of(*model.pool, equation.residual),
                             [&](NodeId leaf) { return (*model.pool)[leaf].b > 0; });
}

}  // namespace

std::optional<std::string> missing_reference(const Model& model, const std::vector<Row>& rows,
                                             const std::vector<Col>& cols) {
  const std::optional<Part> part = connected_part(model, rows, cols);
  if (!part || part->equations.empty()) return {};
  structure::Offsets offsets;
  offsets.c.assign(model.equations.size(), 0);
  offsets.d = highest_orders(signature_of(model));
  std::vector<Eigen::MatrixXd> slopes;
  for (const unsigned seed : seeds) slopes.push_back(slopes_of(model, *part, GenericPoint(model, offsets, seed)));
  if (slopes[0].rows() == 0 || slopes[1].rows() == 0) return {};
  Eigen::MatrixXd both(slopes[0].rows() + slopes[1].rows(), slopes[0].cols());
  both << slopes[0], slopes[1];
  const Eigen::MatrixXd kernel = echelon_of_kernel(both);
  for (Eigen::Index k = 0; k < kernel.rows(); ++k) {
    const std::vector<int> moved = moved_together(kernel.row(k).transpose(), *part);
    if (moved.empty()) continue;
    return fmt::format(
        "only differences of {} occur in the model: is a reference missing, as the ground of a circuit ({} = 0)?",
        names_of(model, moved), names_of(model, {moved.back()}));
  }
  return {};
}

std::optional<std::string> prescribed_twice(const Model& model, const std::vector<Row>& rows) {
  std::map<int, std::vector<std::string>> alone;  // by variable: the equations that contain no other
  for (const Row i : rows) {
    const Equation& equation = model.equations[static_cast<std::size_t>(index(i))];
    const std::set<int> variables = variables_in(model, equation);
    if (variables.size() == 1) alone[*variables.begin()].push_back(equation.label);
  }
  for (const auto& [variable, equations] : alone)
    if (equations.size() > 1)
      return fmt::format("{} is prescribed {}, by {}", names_of(model, {variable}),
                         equations.size() == 2 ? "twice" : fmt::format("{} times", equations.size()),
                         list_names(equations));
  return {};
}

std::optional<std::string> rival_sources(const Model& model, const structure::DulmageMendelsohn& parts) {
  const std::size_t surplus = parts.over_rows.size() - parts.over_cols.size();
  const std::size_t missing = parts.under_cols.size() - parts.under_rows.size();
  if (surplus == 0 || surplus != missing || parts.under_rows.empty()) return {};
  std::vector<int> open;
  for (const Col j : parts.under_cols) open.push_back(index(j));
  const std::optional<Part> connected = connected_part(model, parts.over_rows, {});
  if (!connected || !std::ranges::includes(connected->variables, open)) return {};  // then the error is a different one
  return fmt::format(
      "at the same time {} are not determined: do two sources fix the same quantity (voltage sources in parallel, "
      "current sources in series, two drives on one joint)?",
      names_of(model, open));
}

std::optional<std::string> too_many_constraints(const Model& model, std::span<const Equation> equations) {
  const std::vector<int> orders = highest_orders(signature_of(model));
  const auto is_coordinate = [&](int j) {
    return static_cast<std::size_t>(j) < orders.size() && orders[static_cast<std::size_t>(j)] > 0;
  };
  const auto is_constraint = [&](const Equation& equation) {
    return !has_derivative(model, equation) && std::ranges::all_of(variables_in(model, equation), is_coordinate);
  };
  if (equations.size() < 2 || !std::ranges::all_of(equations, is_constraint)) return {};
  return "these are constraints between variables whose derivatives occur in other equations: are there more "
         "constraints than coordinates, as in an over-constrained loop?";
}

}  // namespace driftless
