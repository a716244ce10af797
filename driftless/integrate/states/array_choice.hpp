// The choice of states in a derivative array (array/array_reduced.hpp). Its m rows determine all unknowns but d of
// those that may be states, x_b, and some open derivatives w_b. First as many open and determined unknowns as possible
// become dependent (QR factorization with column pivoting of their columns), then, with the remaining rows, those that
// may be states.
//
// With M the dependent columns and N the others, T = M^-1 N gives the dependent unknowns: T_ij is the change of x_i
// with a state x_j, and so on. As in selection.hpp an exchange takes place where |T_ij| exceeds the hysteresis, but
// only between two states or two open derivatives. Delivered unknowns must not depend on the constants w_b: if T_ij is
// not small for a delivered unknown i and an open j, the ranks have changed, and the array no longer determines the
// solution.
//
// Of large arrays T is not looked at. Their dependent columns are a basis of three grades, open derivatives first, then
// what is determined, then what may be a state (linear/graded_basis.hpp): an entry that is larger than the present
// pivot of its row by the hysteresis takes its place. If the numbers of the grades are what they were, what is
// delivered depends on nothing that is held. Elimination by rows may find no basis of these numbers in a matrix that is
// nearly full, though there is one; up to some size such an array is looked at as a full matrix as well. Where the
// determinant of M has another sign at the end of a step than at its beginning, with the choice of either end, no
// choice was regular in between.
//
// All of this in units in which the entries of rows and columns are about 1 (linear/equilibration.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/states/exchange.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/graded_basis.hpp"

namespace driftless {

// Up to this number of rows an array is treated as a full matrix.
inline constexpr std::size_t most_rows_of_full_arrays = 200;
// Up to this one if its elimination finds no choice.
inline constexpr std::size_t most_rows_of_difficult_arrays = 600;

class ArrayChoice {
 public:
  // `offset`: the place of its values among those of all choices.
  ArrayChoice(const Reduced& reduced, const Choice& choice, const std::vector<System::ChoiceEntry>& entries,
              std::size_t offset, double hysteresis, std::size_t most_full = most_rows_of_full_arrays);

  // False if the ranks differ from those found when the array was analyzed.
  bool choose(std::span<const double> values);
  void examine(std::span<const double> values, std::vector<Exchange>& exchanges);
  // What the present choice no longer determines at a point; nothing if all is well.
  std::optional<std::string> lost_at(std::span<const double> values) const;
  int weakest_row() const { return choice_->rows.back(); }

  void add_states(std::vector<int>& active) const;
  void archive(Archive& archive);

 private:
  Eigen::MatrixXd matrix(std::span<const double> values) const;  // in the units of `scale_`
  linear::GradedBasis::Rows sparse_rows(std::span<const double> values) const;
  bool choose_columns(const Eigen::MatrixXd& equilibrated);
  bool choose_large(std::span<const double> values);
  void examine_large(std::span<const double> values, std::vector<Exchange>& exchanges);
  std::optional<std::string> lost_in_large(std::span<const double> values) const;
  void take_dependent(std::vector<int> columns);
  bool has_changed(std::span<const double> values) const;
  void remember(std::span<const double> values);
  Role role(int candidate) const { return choice_->roles[candidate]; }
  std::optional<Eigen::MatrixXd> dependence(const Eigen::MatrixXd& matrix) const;  // T
  std::string name(int candidate) const;

  const Reduced* reduced_;
  const Choice* choice_;
  const std::vector<System::ChoiceEntry>* entries_;
  std::size_t offset_;
  double hysteresis_;
  std::vector<double> scale_;          // of the candidates
  std::vector<int> dependent_, free_;  // candidates, numbered within the choice, ascending
  std::vector<double> looked_at_, row_size_;
  std::optional<linear::GradedBasis> basis_;    // of a large array: `dependent_`
  std::vector<double> row_scale_, step_begin_;  // of a large one: units, and the values at the last end of a step
};

}  // namespace driftless
