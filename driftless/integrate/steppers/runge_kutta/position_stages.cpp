#include "driftless/integrate/steppers/runge_kutta/position_stages.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/number.hpp"

namespace driftless {

PositionStages::PositionStages(System& system, const MechanicalSystem& mechanics, const StagePoints& points)
    : system_(system),
      mechanics_(mechanics),
      points_(points),
      n_(static_cast<int>(mechanics.coordinates.size())),
      z_(static_cast<int>(mechanics.others.size())),
      y_(system.size()),
      v_(n_),
      yp_(system.size(), 0.0),
      point_(system.size()),
      rows_and_rates_(system.rows() + system.candidates()),
      invariants_(system.invariants()),
      jacobian_(system.jacobian_entries().size()),
      gradient_(system.invariant_entries().size()),
      row_scale_(size(), 1.0),
      column_scale_(size(), 1.0) {
  std::vector<int> coordinate_of(system.size(), -1), unknown_of(system.size(), -1), acceleration_of(system.size(), -1);
  for (int k = 0; k < n_; ++k) {
    coordinate_of[mechanics.coordinates[k].position] = k;
    acceleration_of[mechanics.coordinates[k].velocity] = k;
    if (mechanics.coordinates[k].candidate >= 0) explicit_.push_back(k);
  }
  for (int k = 0; k < z_; ++k) unknown_of[mechanics.others[k]] = n_ + k;
  std::vector<int> force_equation(system.rows() + system.candidates(), -1), row_constraint(system.rows(), -1),
      invariant_constraint(system.invariants(), -1);
  const int dynamics = static_cast<int>(mechanics.dynamics.size());
  const int expressions = static_cast<int>(explicit_.size());
  for (int k = 0; k < expressions; ++k)
    force_equation[system.rows() + mechanics.coordinates[explicit_[k]].candidate] = k;
  for (int k = 0; k < dynamics; ++k) force_equation[mechanics.dynamics[k]] = expressions + k;
  for (std::size_t k = 0; k < mechanics.constraints.size(); ++k) {
    const int equation = expressions + dynamics + static_cast<int>(k);
    if (mechanics.constraints[k].row >= 0)
      row_constraint[mechanics.constraints[k].row] = equation;
    else
      invariant_constraint[mechanics.constraints[k].invariant] = equation;
  }
  const auto add = [&](std::vector<Line>& lines, std::size_t index, const System::Entry& entry, int equation,
                       bool of_invariant) {
    const int coordinate = entry.rate ? -1 : coordinate_of[entry.slot];
    const int unknown = (entry.rate ? acceleration_of : unknown_of)[entry.slot];
    if (equation >= 0 && (coordinate >= 0 || unknown >= 0))
      lines.push_back({static_cast<int>(index), equation, of_invariant, coordinate, unknown});
  };
  const auto& entries = system.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    add(force_lines_, e, entries[e], force_equation[entries[e].row], false);
    if (entries[e].row < system.rows()) add(constraint_lines_, e, entries[e], row_constraint[entries[e].row], false);
  }
  const auto& of_invariants = system.invariant_entries();
  for (std::size_t e = 0; e < of_invariants.size(); ++e)
    add(constraint_lines_, e, of_invariants[e], invariant_constraint[of_invariants[e].row], true);

  std::vector<linear::Coordinate> coordinates;
  visit_coordinates([&](int row, int column, auto...) { coordinates.push_back({row, column}); });
  assembly_ = linear::assemble(size(), coordinates);
}

// Every entry of the matrix once: visit(row, column, stage of the line, line, factor); a line of nullptr is the
// constant 1.
template <class Visit>
void PositionStages::visit_coordinates(Visit visit) const {
  const int width = unknowns_per_stage();
  for (int i = 0; i < points_.stages; ++i) {
    const auto lines = [&](const std::vector<Line>& all, const std::vector<double>& matrix) {
      for (const Line& line : all) {
        const int row = i * width + line.equation;
        if (line.unknown >= 0) {
          visit(row, i * width + line.unknown, i, &line, 1.0);
          continue;
        }
        for (int j = 0; j < points_.stages; ++j)
          if (const double factor = matrix[i * points_.stages + j]; factor != 0.0)
            visit(row, j * width + line.coordinate, i, &line, factor);
      }
    };
    for (std::size_t k = 0; k < explicit_.size(); ++k)
      visit(i * width + static_cast<int>(k), i * width + explicit_[k], i, static_cast<const Line*>(nullptr), 1.0);
    lines(force_lines_, points_.force_matrix);
    lines(constraint_lines_, points_.constraint_matrix);
  }
}

void PositionStages::begin(double t, double h, std::span<const double> y, std::span<const double> v) {
  t_ = t, h_ = h;
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(v, v_.begin());
  const int first = static_cast<int>(explicit_.size() + mechanics_.dynamics.size());
  for (int i = 0; i < points_.stages; ++i)
    for (int k = first; k < unknowns_per_stage(); ++k) row_scale_[i * unknowns_per_stage() + k] = 1.0 / (h * h);
}

void PositionStages::load(std::span<const double> x, int i, const std::vector<double>& node,
                          const std::vector<double>& matrix, std::span<double> y) const {
  const int width = unknowns_per_stage();
  std::ranges::copy(y_, y.begin());
  for (int k = 0; k < n_; ++k) {
    double sum = 0.0;
    for (int j = 0; j < points_.stages; ++j) sum += matrix[i * points_.stages + j] * x[j * width + k];
    y[mechanics_.coordinates[k].position] += h_ * node[i] * v_[k] + h_ * h_ * sum;
  }
  for (int k = 0; k < z_; ++k) y[mechanics_.others[k]] = x[i * width + n_ + k];
}

void PositionStages::load_accelerations(std::span<const double> x, int i) {
  for (int k = 0; k < n_; ++k) yp_[mechanics_.coordinates[k].velocity] = x[i * unknowns_per_stage() + k];
}

void PositionStages::load_constraint_point(std::span<const double> x, int i, std::span<double> y) const {
  load(x, i, points_.constraint_node, points_.constraint_matrix, y);
}

bool PositionStages::residual(std::span<const double> x, std::span<double> out) {
  const int width = unknowns_per_stage(), dynamics = static_cast<int>(mechanics_.dynamics.size());
  bool exists = true;
  for (int i = 0; i < points_.stages; ++i) {
    load(x, i, points_.force_node, points_.force_matrix, point_);
    load_accelerations(x, i);
    system_.rows_and_rates({t_ + points_.force_node[i] * h_, point_, yp_}, rows_and_rates_);
    double* equation = out.data() + i * width;
    for (const int k : explicit_)
      *equation++ = x[i * width + k] - rows_and_rates_[system_.rows() + mechanics_.coordinates[k].candidate];
    for (int k = 0; k < dynamics; ++k) *equation++ = rows_and_rates_[mechanics_.dynamics[k]];
    if (mechanics_.constraints.empty()) continue;
    load_constraint_point(x, i, point_);
    const System::Point at{t_ + points_.constraint_node[i] * h_, point_, yp_};
    system_.rows_and_rates(at, rows_and_rates_);
    if (!invariants_.empty()) system_.invariants(at, invariants_);
    for (const auto& c : mechanics_.constraints)
      *equation++ = c.row >= 0 ? rows_and_rates_[c.row] : invariants_[c.invariant];
  }
  return exists && linear::all_finite(out);
}

bool PositionStages::matrix(std::span<const double> x, std::span<double> values) {
  std::ranges::fill(values, 0.0);
  std::size_t position = 0;
  double sum = 0.0;
  // Which point the Jacobian was evaluated at: that of the forces or of the constraints of a stage.
  int stage = -1;
  bool at_constraint = false;
  const auto evaluate = [&](int i, bool constraint) {
    if (stage == i && at_constraint == constraint) return;
    stage = i, at_constraint = constraint;
    const std::vector<double>& node = constraint ? points_.constraint_node : points_.force_node;
    load(x, i, node, constraint ? points_.constraint_matrix : points_.force_matrix, point_);
    load_accelerations(x, i);
    const System::Point at{t_ + node[i] * h_, point_, yp_};
    system_.jacobian(at, jacobian_);
    if (constraint && !gradient_.empty()) system_.invariant_gradient(at, gradient_);
  };
  const int expressions = static_cast<int>(explicit_.size());
  const int first_constraint = expressions + static_cast<int>(mechanics_.dynamics.size());
  visit_coordinates([&](int, int, int i, const Line* line, double factor) {
    double value = 1.0;
    if (line) {
      evaluate(i, line->equation >= first_constraint);
      value = (line->of_invariant ? gradient_ : jacobian_)[line->entry];
      if (line->equation < expressions) value = -value;  // K - a(q, z)
      if (line->coordinate >= 0) value *= h_ * h_ * factor;
    }
    sum += value;
    values[assembly_.position[position++]] += value;
  });
  return std::isfinite(sum);
}

}  // namespace driftless
