// What a model says about its own run: assertions, and the bounds min and max of its variables. And what it does not
// say: a state that begins at 5e-12, without a nominal value, is allowed errors of the size of the tolerance.
//
// Both are checked where a run delivers its values: at the start, at output points and at the ends of steps. A violated
// assertion of level error ends the run; a warning, and a bound that is exceeded by more than the tolerance of the run,
// become remarks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class RunChecks {
 public:
  RunChecks(const System& system, double tolerance);

  // Takes the parameter values that are valid after an event.
  void take_parameters(std::span<const double> values);

  bool are_none() const { return bounds_.empty() && tiny_.empty() && !conditions_; }

  // False if an assertion of level error does not hold. `quantities` as System::observe gives them.
  bool hold(double t, std::span<const double> quantities);

  // The assertion that failed when `hold` last returned false: one sentence, and the values that occur in it.
  bool is_violated() const { return violated_ >= 0; }
  std::string reason() const;
  std::vector<std::string> details() const;

  // Warnings, exceeded bounds, and states smaller than their errors may be.
  void add_remarks(std::vector<std::string>& remarks) const;

  void archive(Archive& archive) { archive(bounds_, tiny_, warned_, values_, violated_, violated_at_, started_); }

 private:
  struct Bound {
    std::size_t quantity;
    VarId variable;
    bool upper;
    double limit, slack;
    std::optional<double> first = {};  // time
    double excess = 0.0, extreme = 0.0, at = 0.0;
    void archive(Archive& archive) { archive(first, excess, extreme, at); }  // into one of the same variable
  };

  // A state that begins below what the tolerance allows, and may grow beyond it.
  struct Tiny {
    std::size_t quantity;
    VarId variable;
    double largest = 0.0;
    void archive(Archive& archive) { archive(largest); }
  };

  void find_tiny();
  void remark_on_tiny(std::vector<std::string>& remarks) const;
  bool fails(std::size_t assertion) const;  // by the last evaluation
  void look_at_bounds(double t, std::span<const double> quantities);

  const Reduced& reduced_;
  const Model& model_;
  double tolerance_;
  std::vector<Bound> bounds_;
  std::vector<Tiny> tiny_;
  std::shared_ptr<const Kernel> conditions_;
  std::vector<double> parameters_, inputs_, outputs_, work_;
  std::vector<std::optional<double>> warned_;  // by assertion: time of the first violation
  std::vector<double> values_;                 // of all quantities where the last assertion failed
  int violated_ = -1;
  double violated_at_ = 0.0;
  bool started_ = false;
};

}  // namespace driftless
