#include "driftless/integrate/states/nonlinear_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/states/fixed_rows.hpp"
#include "driftless/linear/parts.hpp"

namespace driftless {
namespace {

template <class T>
void make_unique(std::vector<T>& list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
}

struct FirstAnswer {
  std::vector<double> parameters;
  bool answer;
};

// Some rows, as many unknowns, and the entries of the Jacobian that they have.
class MatrixOfRows {
 public:
  MatrixOfRows(const CompiledSystem& compiled, std::vector<int> rows, Unknowns unknowns, std::vector<int> entries,
               std::vector<linear::Coordinate> coordinates)
      : compiled_(compiled),
        pool_(*compiled.pool()),
        rows_(std::move(rows)),
        unknowns_(std::move(unknowns)),
        entries_(std::move(entries)),
        coordinates_(std::move(coordinates)) {}

  std::vector<NonlinearBlock> nonlinear_blocks() const;

 private:
  int column_of(NodeId leaf) const;
  std::vector<std::vector<int>> nonlinear_slots(const linear::Parts& blocks) const;
  BlockEquations equations_of(int block, const linear::Parts& blocks) const;

  const CompiledSystem& compiled_;
  const Pool& pool_;
  std::vector<int> rows_;  // of the system
  Unknowns unknowns_;
  std::vector<int> entries_;  // of the system's Jacobian
  std::vector<linear::Coordinate> coordinates_;
};

int MatrixOfRows::column_of(NodeId leaf) const {
  const Node node = pool_[leaf];
  const Reduced::Address& at = compiled_.reduced().addresses[node.a][node.b];
  return unknowns_.column(at.index, at.place == Place::Rate);
}

// By block. Candidates for states have a slope of their own.
std::vector<std::vector<int>> MatrixOfRows::nonlinear_slots(const linear::Parts& blocks) const {
  const Reduced& reduced = compiled_.reduced();
  std::vector<bool> is_candidate(reduced.slots.size(), false);
  for (const Kinematic& k : reduced.kinematics) is_candidate[k.slot] = true;
  std::vector<std::vector<int>> slots(blocks.lines.size());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const int block = blocks.of_row[coordinates_[k].row];
    if (blocks.of_column[coordinates_[k].col] != block) continue;
    for (const NodeId leaf : variables_of(pool_, compiled_.jacobian_expressions()[entries_[k]])) {
      const int c = column_of(leaf);
      if (c < 0 || blocks.of_column[c] != block || unknowns_.all()[c].rate) continue;
      if (const int slot = unknowns_.all()[c].slot; !is_candidate[slot]) slots[block].push_back(slot);
    }
  }
  for (std::vector<int>& of_block : slots) make_unique(of_block);
  return slots;
}

BlockEquations MatrixOfRows::equations_of(int block, const linear::Parts& blocks) const {
  std::vector<int> rows, entries, place_of_row(rows_.size()), place_of_column(rows_.size());
  std::vector<Unknown> unknowns;
  std::vector<linear::Coordinate> coordinates;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    place_of_row[i] = static_cast<int>(rows.size());
    if (blocks.of_row[i] == block) rows.push_back(rows_[i]);
    place_of_column[i] = static_cast<int>(unknowns.size());
    if (blocks.of_column[i] == block) unknowns.push_back(unknowns_.all()[i]);
  }
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [row, column] = coordinates_[k];
    if (blocks.of_row[row] != block || blocks.of_column[column] != block) continue;
    entries.push_back(entries_[k]);
    coordinates.push_back({place_of_row[row], place_of_column[column]});
  }
  return block_equations(compiled_, rows, unknowns, entries, coordinates);
}

std::vector<NonlinearBlock> MatrixOfRows::nonlinear_blocks() const {
  if (rows_.empty() || unknowns_.size() != std::ssize(rows_)) return {};
  const linear::Parts blocks(linear::assemble(static_cast<int>(rows_.size()), coordinates_).pattern);
  if (!blocks.regular) return {};
  std::vector<std::vector<int>> slots = nonlinear_slots(blocks);
  std::vector<NonlinearBlock> result;
  for (std::size_t b = 0; b < slots.size(); ++b)
    if (!slots[b].empty())
      result.push_back(
          {std::make_shared<const BlockEquations>(equations_of(static_cast<int>(b), blocks)), std::move(slots[b])});
  return result;
}

}  // namespace

BlockEquations block_equations(const CompiledSystem& compiled, std::span<const int> rows,
                               std::span<const Unknown> unknowns, std::span<const int> entries,
                               std::span<const linear::Coordinate> coordinates) {
  const Pool& pool = *compiled.pool();
  const Reduced& reduced = compiled.reduced();
  std::vector<bool> has_slot(reduced.slots.size(), false), has_rate(has_slot);
  for (const auto& [slot, rate] : unknowns) (rate ? has_rate : has_slot)[slot] = true;
  BlockEquations result;
  for (const int row : rows) {
    const NodeId residual = reduced.rows[row].residual;
    result.equations.functions.push_back(residual);
    for (const NodeId leaf : variables_of(pool, residual)) {
      const Reduced::Address& at = reduced.addresses[pool[leaf].a][pool[leaf].b];
      if ((at.place == Place::Rate ? has_rate : has_slot)[at.index]) result.equations.unknowns.push_back(leaf);
    }
    for (const NodeId id : nodes_of(pool, residual))
      if (pool[id].op == Op::Parameter) result.parameters.push_back(static_cast<int>(pool[id].a));
  }
  for (std::size_t k = 0; k < entries.size(); ++k)
    result.equations.slopes.push_back(
        {coordinates[k].row, coordinates[k].col, compiled.jacobian_expressions()[entries[k]]});
  make_unique(result.equations.unknowns);
  make_unique(result.parameters);
  result.key.assign(rows.begin(), rows.end());
  for (const auto& [slot, rate] : unknowns) result.key.push_back(2 * slot + (rate ? 1 : 0));
  return result;
}

// The answer computed first is kept for runs with the same parameters.
bool OneSolution::operator()(const System& system) {
  if (version_ == system.parameters_version()) return answer_;
  const bool is_first = version_ < 0;
  version_ = system.parameters_version();
  const std::span<const double> parameters = system.parameters();
  std::vector<double> values;
  for (const int p : block_->parameters) values.push_back(parameters[p]);
  if (!is_first && values == of_parameters_) return answer_;
  of_parameters_ = std::move(values);
  const CompiledSystem& compiled = system.compiled();
  const auto prove = [&] {
    return is_injective(*compiled.pool(), block_->equations, [&](const Node& leaf) {
      return leaf.op == Op::Parameter ? Interval{parameters[leaf.a], parameters[leaf.a]} : Interval{};
    });
  };
  const auto known = compiled.part<FirstAnswer>(block_->key, [&] {
    return std::make_shared<const FirstAnswer>(FirstAnswer{of_parameters_, prove()});
  });
  return answer_ = known->parameters == of_parameters_ ? known->answer : prove();
}

std::vector<NonlinearBlock> nonlinear_blocks(const Problem& problem) {
  DependentUnknowns dependent = dependent_unknowns(problem);
  std::vector<int> rows(problem.reduced().rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (dependent.equations != problem.system().rows()) return {};
  return MatrixOfRows(problem.system().compiled(), std::move(rows), std::move(dependent.unknowns),
                      std::move(dependent.entries), std::move(dependent.coordinates))
      .nonlinear_blocks();
}

std::shared_ptr<const std::vector<NonlinearBlock>> fixed_nonlinear_blocks(const System& system) {
  FixedRows fixed(system);
  if (!fixed.exist) return nullptr;
  return std::make_shared<const std::vector<NonlinearBlock>>(
      MatrixOfRows(system.compiled(), std::move(fixed.rows), std::move(fixed.unknowns), std::move(fixed.entries),
                   std::move(fixed.coordinates))
          .nonlinear_blocks());
}

}  // namespace driftless
