// Which candidates are states at present, and when they must change (dummy pivoting, Mattsson & Söderlind, Section 4).
//
// A choice has m rows and n > m candidates; B is the m x n matrix of ∂row/∂candidate. m columns M of B are dependent
// (their derivatives are dummies), the others N are states. The choice is good as long as every entry of T = M^-1 N is
// moderate: exchanging column i of M with column j of N multiplies |det M| by |T_ij|. So |T_ij| is the factor by which
// the exchange improves the conditioning; for the planar pendulum it is |x/y|. An exchange takes place when the largest
// factor exceeds the hysteresis.
//
// The rows of a constraint and those of its derivative have the same B (Griewank's lemma), and mostly the same states:
// then one examination serves both.
//
// T costs m^2 n multiplications. For choices of many rows Gaussian elimination by rows, whose cost follows the
// number of entries, chooses anew at every examination, with the present dependent columns favoured by the hysteresis.
//
// The choice of a derivative array is made by its own rules (array_choice.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/states/array_choice.hpp"
#include "driftless/integrate/states/exchange_table.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class StateSelection {
 public:
  explicit StateSelection(const Reduced& reduced, const std::vector<std::vector<System::ChoiceEntry>>& entries,
                          double hysteresis);

  // Values as System::choices gives them. False if the rows of some choice are dependent at this point: the
  // constraints lose rank, and `dependent_row()` is one of the rows.
  bool choose(std::span<const double> values);

  // Exchanges candidates as long as a factor exceeds the hysteresis; cheap when none does. Empty: the choice stays. A
  // large choice is examined only when one of its values has changed noticeably since the last time.
  const std::vector<Exchange>& examine(std::span<const double> values);

  const std::vector<int>& active() const { return active_; }  // ascending: candidates that are states
  int dependent_row() const { return dependent_row_; }
  // For derivative arrays: what they no longer determine (array_choice.hpp).
  bool has_arrays() const { return !arrays_.empty(); }
  std::optional<std::string> lost_at(std::span<const double> values) const;

  void archive(Archive& archive);

 private:
  struct Part {
    const Choice* choice = nullptr;
    const std::vector<System::ChoiceEntry>* entries = nullptr;
    std::size_t offset = 0;                      // of its values
    std::vector<double> scale;                   // per candidate: nominal / preference
    std::vector<int> dependent, free;            // candidates, numbered within the choice
    std::vector<std::vector<int>> by_candidate;  // entries of each candidate
    ExchangeTable table;                         // T, if it is small
    std::vector<int> place;                      // of each candidate among the columns of M and N
    std::vector<int> order, home;             // of elimination: rows, and for each candidate the row it is peeled with
    std::vector<double> looked_at, row_size;  // of large choices: the values examined last, the largest of each row
    int twin = -1;  // an earlier part with the same variables and pattern, one derivative lower
    bool is_small() const;
    bool has_changed(std::span<const double> all_values) const;
    void remember(std::span<const double> all_values);
    void peel();
  };
  bool choose(Part& part, std::span<const double> values, double favour);
  void find_twins();
  bool agrees_with_twin(const Part& part, std::span<const double> values) const;
  void examine_small(Part& part, std::span<const double> values);
  void choose_afresh(Part& part, std::span<const double> values);
  bool tabulate(Part& part, std::span<const double> values);
  void collect();

  const Reduced& reduced_;
  double hysteresis_;
  std::vector<Part> parts_;
  std::vector<ArrayChoice> arrays_;
  std::vector<int> active_;
  std::vector<Exchange> exchanges_;
  int dependent_row_ = -1;
};

}  // namespace driftless
