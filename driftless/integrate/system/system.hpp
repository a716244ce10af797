// The reduced model as functions of numbers: what an integrator calls.
//
//   rows         F(t, y, y')            one per row of the reduction
//   rates        the time derivative of each candidate state
//   Jacobian     all nonzero ∂F/∂y, ∂F/∂y', ∂rate/∂y, exactly or by difference quotients
//   choices      the entries of the matrices that decide which candidates may be states
//   observe      every quantity, in the order of Reduced::quantities
//   invariants   what the solution also satisfies (Reduced::invariants), and its gradient
//   certificate  the residual of every constraint at every level and of every other equation that is solved, and the
//                size of its terms
//
// Evaluation never fails by exception: a value that does not exist is NaN. The functions are compiled once
// (compiled_system.hpp); a System holds their inputs for one run.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/compiled_system.hpp"
#include "driftless/integrate/system/difference_quotients.hpp"

namespace driftless {

class CheckSlopes;
class Guard;
namespace taylor {
class Formulas;
}

class System {
 public:
  // `numbers`: the same model with the parameters and bounds of the run, or null. `parameters`: the values of all
  // parameters, if initialization has computed some of them.
  explicit System(std::shared_ptr<const CompiledSystem> compiled, std::shared_ptr<const Model> numbers = {},
                  std::span<const double> parameters = {});
  System(std::shared_ptr<const Reduced> reduced, Backend backend);
  ~System();

  const CompiledSystem& compiled() const { return *compiled_; }

  // Other equations of the same model, with the numbers of this run: `make` is called when a run first needs this name,
  // and they are compiled once. The result follows the parameters of this system, which must outlive it.
  enum class Related { Base, BaseOfIndex1 };
  std::unique_ptr<System> related(Related name, const std::function<std::shared_ptr<const Reduced>()>& make) const;
  std::unique_ptr<System> base() const;  // Reduced::base. Precondition: there is one.

  const Reduced& reduced() const { return compiled_->reduced(); }
  const Model& model() const { return numbers_ ? *numbers_ : *reduced().model; }  // with the numbers of the run
  int size() const { return static_cast<int>(reduced().slots.size()); }
  int rows() const { return static_cast<int>(reduced().rows.size()); }
  int candidates() const { return static_cast<int>(reduced().kinematics.size()); }
  Backend backend() const { return compiled_->backend(); }
  std::span<const double> parameters() const {
    return std::span(inputs_).subspan(1, reduced().model->parameters.size());
  }

  // Sets the values of all parameters after an event. Holders of copies compare the version.
  void set_parameters(std::span<const double> values);
  long parameters_version() const { return parameters_version_; }

  struct Point {
    double t;
    std::span<const double> y;
    std::span<const double> yp;
  };

  // Entries of the Jacobian of [rows; rates]. Rates follow the rows: row rows() + k is candidate k.
  using Entry = CompiledSystem::Entry;
  const std::vector<Entry>& jacobian_entries() const { return compiled_->jacobian_entries(); }

  using ChoiceEntry = CompiledSystem::ChoiceEntry;
  const std::vector<std::vector<ChoiceEntry>>& choice_entries() const { return compiled_->choice_entries(); }

  void rows_and_rates(const Point& at, std::span<double> out);
  // Sets the derivative of every candidate in y' to its rate, evaluated here or taken from values of rows_and_rates.
  void set_rates(double t, std::span<const double> y, std::span<double> yp);
  void take_rates(std::span<const double> rows_and_rates, std::span<double> yp) const;
  void jacobian(const Point& at, std::span<double> values);
  void use_difference_quotients();  // from now on, for `jacobian`
  // Does its kernel give the Jacobian, and no guard and no quotients?
  bool has_plain_jacobian() const { return !guarded_ && !differences_; }
  // Entries of the gradient of the invariants: `row` numbers them.
  const std::vector<Entry>& invariant_entries() const { return compiled_->invariant_entries(); }
  int invariants() const { return static_cast<int>(reduced().invariants.size()); }
  void invariants(const Point& at, std::span<double> out);
  int invariants_of_model() const { return static_cast<int>(reduced().model->invariants.size()); }
  void invariants_of_model(const Point& at, std::span<double> out);  // in the order of the model
  void invariant_gradient(const Point& at, std::span<double> values);

  void choices(const Point& at, std::span<double> values);  // all choices, one after the other
  // Evaluates a kernel that was compiled for slots and rates (CompiledSystem::compile).
  void evaluate(const Kernel& kernel, const Point& at, std::span<double> out);
  void observe(const Point& at, std::span<double> quantities);

  // What a delivered point must satisfy: the constraints of the reduction, in their order, then the user's other
  // equations that are rows. Definitions hold by themselves.
  const std::vector<Constraint>& checks() const { return compiled_->checks(); }
  // Like observe, and gives the residual of every check, then the size of its terms: 2 * checks().size() values.
  void inspect(const Point& at, std::span<double> quantities, std::span<double> residuals_and_sizes);
  // The same without the quantities, whose existence and values can be queried afterwards.
  void inspect(const Point& at, std::span<double> residuals_and_sizes);
  bool quantities_exist() const;
  void take_quantities(std::span<double> quantities) const;

  // The slopes of their residuals; made on demand.
  CheckSlopes& check_slopes();

  std::size_t choice_values() const { return compiled_->choice_values(); }

  // For iterations that begin far from the solution (guard.hpp); made on demand. Null if the rows and rates have no
  // steep function.
  Guard* guard();
  // For series of the solution; made on demand.
  const taylor::Formulas& series() const;
  // While it is used, rows_and_rates and jacobian are those of the guard. Precondition: there is one.
  void use_guard(bool on) { guarded_ = on; }

  // The inputs for kernels of the same layout: time comes first, then the parameters; y and y' begin at the offsets.
  const std::vector<double>& inputs() const { return inputs_; }
  std::size_t y_offset() const { return compiled_->y_offset(); }
  std::size_t yp_offset() const { return compiled_->yp_offset(); }

  void archive(Archive& archive);  // the guard; everything else is evaluated anew at every point

 private:
  void load(const Point& at);
  void define(const Point& at);  // all definitions, among the inputs
  void run(CompiledSystem::KernelIndex index, std::span<double> out) { run(compiled_->kernel(index), out); }
  void run(const Kernel& kernel, std::span<double> out);

  std::shared_ptr<const CompiledSystem> compiled_;
  std::shared_ptr<const Model> numbers_;
  std::optional<DifferenceQuotients> differences_;
  std::vector<double> inputs_, work_, all_invariants_, rows_and_rates_;
  std::unique_ptr<CheckSlopes> check_slopes_;
  std::unique_ptr<Guard> guard_;
  bool guard_is_known_ = false, guarded_ = false;
  long parameters_version_ = 0;
  const System* origin_ = nullptr;  // the system whose parameters this one follows
  long origin_version_ = 0;
  mutable std::shared_ptr<const taylor::Formulas> series_;
};

}  // namespace driftless
