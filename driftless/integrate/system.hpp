// The reduced model as functions of numbers: what an integrator calls.
//
//   rows         F(t, y, y')            one per row of the reduction
//   rates        the time derivative of each candidate state
//   Jacobian     all nonzero ∂F/∂y, ∂F/∂y', ∂rate/∂y, exactly or by difference quotients
//   choices      the entries of the matrices that decide which candidates may be states
//   observe      every quantity, in the order of Reduced::quantities
//   invariants   what the solution satisfies besides (Reduced::invariants), and its gradient
//   certificate  the residual of every constraint at every level and of every other equation that is solved, and the
//                size of its terms
//
// Evaluation never fails by exception: a value that does not exist is NaN.
//
// Kernels that are used together are made together, when one of them is first called: a Taylor method asks neither for
// rows nor for their Jacobian, and a look at the start for nothing else.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/integrate/difference_quotients.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

class CheckSlopes;
class Guard;
namespace taylor {
class Formulas;
}

class System {
 public:
  System(std::shared_ptr<const Reduced> reduced, Backend backend);
  ~System();

  const Reduced& reduced() const { return *reduced_; }
  int size() const { return static_cast<int>(reduced_->slots.size()); }
  int rows() const { return static_cast<int>(reduced_->rows.size()); }
  int candidates() const { return static_cast<int>(reduced_->kinematics.size()); }
  Backend backend() const { return backend_; }
  const CompileStatistics& compile_statistics() const { return statistics_; }

  struct Point {
    double t;
    std::span<const double> y;
    std::span<const double> yp;
  };

  // Entries of the Jacobian of [rows; rates]. Rates follow the rows: row rows() + k is candidate k.
  using Entry = DifferenceQuotients::Entry;  // rate: with respect to y' instead of y
  const std::vector<Entry>& jacobian_entries() const { return entries_; }
  const std::vector<NodeId>& jacobian_expressions() const;  // of the entries

  // The entry (row, candidate) of a choice; rows and candidates are numbered within the choice.
  struct ChoiceEntry {
    int row;
    int candidate;
  };
  const std::vector<std::vector<ChoiceEntry>>& choice_entries() const { return choice_entries_; }

  void rows_and_rates(const Point& at, std::span<double> out);
  void jacobian(const Point& at, std::span<double> values);
  void use_difference_quotients();  // from now on, for `jacobian`
  // Entries of the gradient of the invariants: `row` numbers them.
  const std::vector<Entry>& invariant_entries() const { return invariant_entries_; }
  int invariants() const { return static_cast<int>(reduced_->invariants.size()); }
  void invariants(const Point& at, std::span<double> out);
  int invariants_of_model() const { return static_cast<int>(reduced_->model->invariants.size()); }
  void invariants_of_model(const Point& at, std::span<double> out);  // in the order of the model
  void invariant_gradient(const Point& at, std::span<double> values);

  void choices(const Point& at, std::span<double> values);  // all choices, one after the other
  void observe(const Point& at, std::span<double> quantities);

  // What a delivered point must satisfy: the constraints of the reduction, in their order, then the user's other
  // equations that are rows. Definitions hold by themselves.
  const std::vector<Constraint>& checks() const { return checks_; }
  // Observe, and the residual of every check, then the size of its terms: 2 * checks().size() values.
  void inspect(const Point& at, std::span<double> quantities, std::span<double> residuals_and_sizes);

  // The slopes of their residuals; made when first asked for.
  CheckSlopes& check_slopes();

  std::size_t choice_values() const { return choice_values_; }

  // For iterations that begin far from the solution (guard.hpp); made when first asked for. Null if the rows and rates
  // have no steep function.
  Guard* guard();
  // For series of the solution; made when first asked for.
  taylor::Formulas& series() const;
  // While it is used, rows_and_rates and jacobian are those of the guard. Precondition: there is one.
  void use_guard(bool on) { guarded_ = on; }

  // Kernels for other expressions of slots and rates, and an array of inputs for them that holds the parameters: time
  // comes first, y and y' begin at the offsets.
  std::vector<std::unique_ptr<Kernel>> compile(std::span<const KernelSource> sources);
  std::vector<double> inputs() const { return inputs_; }
  std::size_t y_offset() const { return y_offset_; }
  std::size_t yp_offset() const { return yp_offset_; }

 private:
  InputLayout layout() const;
  void load(const Point& at);
  void make(int kernel);
  void run(int kernel, std::span<double> out);

  std::shared_ptr<const Reduced> reduced_;
  Backend backend_;
  std::vector<KernelSource> sources_;
  std::vector<std::unique_ptr<Kernel>> kernels_;  // null until one of the group is called
  CompileStatistics statistics_;
  std::vector<Entry> entries_, invariant_entries_;
  std::vector<Constraint> checks_;
  std::optional<DifferenceQuotients> differences_;
  std::vector<std::vector<ChoiceEntry>> choice_entries_;
  std::size_t choice_values_ = 0;
  std::vector<double> inputs_, work_, all_invariants_;
  std::vector<std::size_t> places_of_quantities_;  // in the inputs
  std::size_t y_offset_ = 0, yp_offset_ = 0, definition_offset_ = 0;
  std::unique_ptr<CheckSlopes> check_slopes_;
  std::unique_ptr<Guard> guard_;
  bool guard_is_known_ = false, guarded_ = false;
  mutable std::unique_ptr<taylor::Formulas> series_;
};

}  // namespace driftless
