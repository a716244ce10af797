#include "driftless/integrate/states/constraint_slopes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/parts.hpp"

namespace driftless {

class ConstraintSlopes::Drafter {
 public:
  explicit Drafter(const System& system) : system_(system), reduced_(system.reduced()) {}

  ConstraintSlopes draft() {
    ConstraintSlopes slopes;
    const FixedRows fixed(system_);
    if (!fixed.exist) return slopes;
    const linear::Parts blocks(linear::assemble(static_cast<int>(fixed.rows.size()), fixed.coordinates).pattern);
    slopes.exist = blocks.regular;
    if (!slopes.exist) return slopes;
    take_blocks(fixed, blocks, slopes.blocks);
    take_choices(slopes.choices);
    const CompiledSystem& compiled = system_.compiled();
    for (const NodeId id : compiled.jacobian_expressions()) {
      const auto found = value_of_.find(index(id));
      slopes.value_of_entry.push_back(found == value_of_.end() ? -1 : found->second);
    }
    if (!values_.empty())
      slopes.kernel =
          compiled.compile(compiled.pool(), std::vector<KernelSource>{{"slopes of constraints", std::move(values_)}})
              .front();
    return slopes;
  }

 private:
  NodeId expression(int entry) const { return system_.compiled().jacobian_expressions()[entry]; }
  bool is_variable(int entry) const { return varies(*system_.compiled().pool(), expression(entry)); }

  int value_of(int entry) {
    const NodeId id = expression(entry);
    const auto [found, is_new] = value_of_.try_emplace(index(id), static_cast<int>(values_.size()));
    if (is_new) values_.push_back(id);
    return found->second;
  }

  void take_blocks(const FixedRows& fixed, const linear::Parts& found, std::vector<Block>& blocks) {
    std::vector<int> line_of_row(fixed.rows.size()), line_of_column(fixed.rows.size());
    for (auto [parts, lines] : {std::pair{&found.of_row, &line_of_row}, std::pair{&found.of_column, &line_of_column}}) {
      std::vector<int> next(found.lines.size(), 0);
      for (std::size_t i = 0; i < lines->size(); ++i) (*lines)[i] = next[(*parts)[i]]++;
    }
    std::vector<std::vector<std::size_t>> inside(found.lines.size());
    for (std::size_t k = 0; k < fixed.entries.size(); ++k)
      if (const auto [i, j] = fixed.coordinates[k]; found.of_row[i] == found.of_column[j])
        inside[found.of_row[i]].push_back(k);
    for (std::size_t b = 0; b < inside.size(); ++b) {
      if (static_cast<std::size_t>(found.lines[b]) > largest_block) continue;
      if (std::ranges::none_of(inside[b], [&](std::size_t k) { return is_variable(fixed.entries[k]); })) continue;
      Block& block = blocks.emplace_back(Block{found.lines[b], {}});
      for (const std::size_t k : inside[b])
        block.entries.push_back({value_of(fixed.entries[k]), line_of_row[fixed.coordinates[k].row],
                                 line_of_column[fixed.coordinates[k].col]});
    }
  }

  void take_choices(std::vector<Candidates>& choices) {
    std::vector<std::vector<int>> of_row(reduced_.rows.size());
    const std::vector<System::Entry>& all = system_.jacobian_entries();
    for (std::size_t e = 0; e < all.size(); ++e)
      if (all[e].row < system_.rows() && !all[e].rate) of_row[all[e].row].push_back(static_cast<int>(e));
    std::vector<int> column_of(reduced_.slots.size(), -1);
    using Matrix = std::vector<std::array<std::uint32_t, 3>>;  // row, column and expression of each entry
    std::vector<Matrix> known;
    for (const Choice& choice : reduced_.choices) {
      const auto slot = [&](std::size_t j) { return reduced_.kinematics[choice.kinematics[j]].slot; };
      for (std::size_t j = 0; j < choice.kinematics.size(); ++j) column_of[slot(j)] = static_cast<int>(j);
      Matrix matrix;
      std::vector<int> entries;
      for (std::size_t i = 0; i < choice.rows.size(); ++i)
        for (const int e : of_row[choice.rows[i]]) {
          const int column = column_of[all[e].slot];
          if (column < 0) continue;
          matrix.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(column), index(expression(e))});
          entries.push_back(e);
        }
      for (std::size_t j = 0; j < choice.kinematics.size(); ++j) column_of[slot(j)] = -1;
      if (std::ranges::none_of(entries, [&](int e) { return is_variable(e); })) continue;
      if (std::ranges::find(known, matrix) != known.end()) continue;
      Candidates& candidates = choices.emplace_back(
          Candidates{static_cast<int>(choice.rows.size()), static_cast<int>(choice.kinematics.size()), {}, {}});
      for (std::size_t k = 0; k < entries.size(); ++k)
        candidates.entries.push_back(
            {value_of(entries[k]), static_cast<int>(matrix[k][0]), static_cast<int>(matrix[k][1])});
      for (std::size_t j = 0; j < choice.kinematics.size(); ++j)
        candidates.nominal.push_back(std::abs(reduced_.slots[slot(j)].nominal));
      known.push_back(std::move(matrix));
    }
  }

  const System& system_;
  const Reduced& reduced_;
  std::vector<NodeId> values_;
  std::unordered_map<std::uint32_t, int> value_of_;
};

std::shared_ptr<const ConstraintSlopes> ConstraintSlopes::of(const System& system) {
  return system.compiled().part<ConstraintSlopes>(
      {}, [&] { return std::make_shared<const ConstraintSlopes>(Drafter(system).draft()); });
}

}  // namespace driftless
