#include "driftless/integrate/solve/index_scaling.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/system/part_of_states.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

structure::Signature signature_of(const Problem& problem) {
  const linear::Pattern& pattern = problem.pattern();
  std::vector<std::vector<structure::Entry>> by_row(pattern.size);
  for (int j = 0; j < pattern.size; ++j)
    for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k)
      by_row[pattern.rows[k]].push_back({structure::Col{j}, problem.rate_enters()[k] ? 1 : 0});
  structure::Signature signature(pattern.size);
  for (const auto& row : by_row) signature.add_row(row);
  return signature;
}

// Per column: the largest c of the rows that are needed to determine it. The rows of a block use only columns of their
// own block and of earlier ones.
std::vector<int> highest_needed(const structure::Signature& signature, const structure::Structure& shape) {
  const structure::Signature tight = structure::system_jacobian_pattern(signature, shape.offsets);
  std::vector<int> needed(signature.cols(), 0);
  for (const structure::Block& block : shape.blocks) {
    int largest = 0;
    for (const structure::Row row : block.rows) {
      largest = std::max(largest, shape.offsets.c[index(row)]);
      for (const structure::Entry& entry : tight.row(row)) largest = std::max(largest, needed[index(entry.col)]);
    }
    for (const structure::Col col : block.cols) needed[index(col)] = largest;
  }
  return needed;
}

// Of index 1: rows with rates are multiplied by h.
void scale_rates(const Problem& problem, IndexScaling& grading) {
  const linear::Pattern& pattern = problem.pattern();
  grading.rows.assign(pattern.size, 0);
  grading.columns.assign(pattern.size, 0);
  for (std::size_t k = 0; k < pattern.rows.size(); ++k)
    if (problem.rate_enters()[k]) grading.rows[pattern.rows[k]] = -1;
}

// Do lower levels of the constraints occur in the solved equations, as in Baumgarte's form? Then the solution returns
// to them.
bool is_pulled_back(const Reduced& reduced) {
  std::vector<NodeId> levels;
  for (const Invariant& invariant : reduced.invariants)
    if (!invariant.of_model()) levels.push_back(invariant.residual);
  if (levels.empty()) return false;
  const Pool& pool = *reduced.model->pool;
  const auto contains_level = [&](NodeId expression) {
    return any_node(pool, expression, [&](NodeId node) { return std::ranges::find(levels, node) != levels.end(); });
  };
  return std::ranges::any_of(reduced.rows, contains_level, &DerivedEquation::residual) ||
         std::ranges::any_of(reduced.kinematics, contains_level, &Kinematic::rate);
}

IndexScaling scaling_of(const Problem& problem) {
  if (problem.reduced().equation_choice.exists()) {  // whatever the pattern says
    const std::vector<int> ones(problem.size(), 1);
    IndexScaling grading{{}, {}, ones};
    scale_rates(problem, grading);
    return grading;
  }
  const structure::Signature signature = signature_of(problem);
  const auto result = structure::analyze(signature);
  const auto* shape = std::get_if<structure::Structure>(&result);
  const std::vector<int> zeros(problem.size(), 0);
  if (!shape) return {zeros, zeros, zeros};
  IndexScaling grading{shape->offsets.c, shape->offsets.d, highest_needed(signature, *shape)};
  for (std::size_t j = 0; j < grading.index.size(); ++j) grading.index[j] += 1 - grading.columns[j];
  if (grading.highest_index() <= 1) scale_rates(problem, grading);
  return grading;
}

}  // namespace

int IndexScaling::highest_index() const { return index.empty() ? 0 : *std::ranges::max_element(index); }

void IndexScaling::scales(double h, std::span<double> row_scale, std::span<double> column_scale) const {
  const double log = std::log2(h);
  const auto power = [log](int exponent) {
    return exponent == 0 ? 1.0 : std::ldexp(1.0, static_cast<int>(std::lround(exponent * log)));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    row_scale[i] = power(-rows[i]);
    column_scale[i] = power(columns[i]);
  }
}

IndexScaling grade(const Problem& problem) {
  return *part_of_states<IndexScaling>(problem, [&] { return scaling_of(problem); });
}

IndexScaling grade_again(const Problem& problem, const IndexScaling& before) {
  if (before.highest_index() != 1) return grade(problem);
  IndexScaling grading;
  scale_rates(problem, grading);
  for (int s = 0; s < problem.size(); ++s) grading.index.push_back(problem.is_whole_state(s) ? 0 : 1);
  return grading;
}

namespace {

// The derivatives that a derivative array leaves open: those that are held like states may have any value. Also the
// unknowns that a form of index 1 from it has besides the differentiated variables.
std::vector<bool> open_derivatives(const Reduced& reduced) {
  std::vector<bool> is_open(reduced.slots.size(), false);
  for (const Choice& choice : reduced.choices)
    for (std::size_t j = 0; j < choice.roles.size(); ++j)
      if (choice.roles[j] == Role::Open) is_open[reduced.kinematics[choice.kinematics[j]].slot] = true;
  for (const auto* candidates : {&reduced.equation_choice.equations, &reduced.equation_choice.derivatives})
    for (const int k : *candidates) is_open[reduced.kinematics[k].slot] = true;
  for (const int slot : reduced.equation_choice.differential) is_open[slot] = true;  // unless it is tested
  return is_open;
}

}  // namespace

std::vector<bool> in_error_test(const Problem& problem, const IndexScaling& grading) {
  const Reduced& reduced = problem.reduced();
  const bool drifts = !reduced.completes_points && reduced.correction == Correction::Square &&
                      grading.highest_index() <= 1 && !is_pulled_back(reduced);
  const std::vector<bool> is_open = open_derivatives(reduced);
  std::vector<bool> included(reduced.slots.size());
  for (std::size_t s = 0; s < included.size(); ++s)
    included[s] = reduced.slots[s].tested || (grading.index[s] <= 1 && !is_open[s] &&
                                              ((drifts && reduced.slots[s].quantity.order == 0) ||
                                               reduced.slots[s].stage < 0 || problem.is_state(static_cast<int>(s))));
  return included;
}

double newton_allowance(int index, double h) {
  // The part of the others' tolerance that this error may take. With all of it the iteration error enters their error
  // test: the pendulum with its GGL form takes a third more steps. With a hundredth, every third step needs a new
  // matrix.
  constexpr double share = 0.05;
  return index <= 1 || !(h > 0.0) ? 1.0 : std::max(1.0, share * std::pow(h, 1 - index));
}

}  // namespace driftless
