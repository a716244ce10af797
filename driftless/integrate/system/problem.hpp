// What a stepper solves: the reduced model with its present states,
//
//   rows        F(t, y, y') = 0
//   kinematics  L (y' - rate(t, y)) = 0   with as many rows of the constant matrix L as there are states
//
// n equations for n components. Where slots are states (dummy derivatives, coordinate partitioning) a row of L is a
// unit vector; in local coordinates of a tangent space it is a combination of slots. When the states change, only the
// kinematic relations and the pattern of the matrix change.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {

// A state, sum weight * slot over some candidates (indices into Reduced::kinematics): a row of L.
struct Term {
  int candidate = 0;
  double weight = 1.0;
  bool operator==(const Term&) const = default;
  void archive(Archive& archive) { archive(candidate, weight); }
};
using Combination = std::vector<Term>;

std::vector<Combination> each_alone(const std::vector<int>& candidates);

class Problem {
 public:
  explicit Problem(System& system);

  void set_states(const std::vector<int>& active);  // candidates that are states, ascending
  void set_states(std::vector<Combination> states);
  const std::vector<Combination>& states() const { return states_; }

  int size() const { return system_.size(); }
  System& system() { return system_; }
  const System& system() const { return system_; }
  const Reduced& reduced() const { return system_.reduced(); }

  // False if some value does not exist; `undefined_at()` is then that point.
  bool residual(double t, std::span<const double> y, std::span<const double> yp, std::span<double> out);

  // ∂/∂y + alpha ∂/∂y' in the order of pattern(); false if some value does not exist.
  bool matrix(double t, std::span<const double> y, std::span<const double> yp, double alpha, std::span<double> values);
  // The same in two steps: evaluates and keeps the partial derivatives, then sums them for some alpha.
  bool differentiate(double t, std::span<const double> y, std::span<const double> yp);
  void assemble(double alpha, std::span<double> values) const;
  // ∂/∂y' times x, and the same with absolute values, from the kept derivatives.
  void rates_times(std::span<const double> x, std::span<double> out) const;
  void rates_times_sizes(std::span<const double> sizes, std::span<double> out) const;
  // ∂/∂y and ∂/∂y' separately, in the same order: for several alpha, real or complex.
  bool derivatives(double t, std::span<const double> y, std::span<const double> yp, std::span<double> by_value,
                   std::span<double> by_rate);
  const linear::Pattern& pattern() const { return assembly_.pattern; }
  // Per value of the matrix: does ∂/∂y' contribute to it?
  const std::vector<bool>& rate_enters() const { return rate_enters_; }

  System::Point undefined_at() const { return {undefined_.t, undefined_.y, undefined_.yp}; }

  // Does the derivative of the slot occur: is it a state, or part of one?
  bool is_state(int slot) const { return is_state_[slot]; }
  // Is the slot itself a state? Then its value is given; combinations are given where it is only part of states.
  bool is_whole_state(int slot) const { return is_whole_state_[slot]; }
  // The candidates whose slots are states or parts of states, ascending.
  const std::vector<int>& active() const { return active_; }

  // A readable name for equation i of the n equations.
  std::string name_of_equation(int i) const;

  // Archives its states, the kept derivatives, the point of undefined_at(), and the memory of the system.
  void archive(Archive& archive);

 private:
  System& system_;
  std::vector<Combination> states_;
  std::vector<int> active_;
  std::vector<bool> is_state_, is_whole_state_;
  std::vector<double> rows_and_rates_, jacobian_;
  struct Contribution {
    int entry;  // of the system's Jacobian, or -1: the constant alpha of a kinematic relation
    double factor;
    bool times_alpha;
    linear::Coordinate at;
  };
  std::vector<Contribution> contributions_;
  double derivative(const Contribution& c) const { return c.entry < 0 ? c.factor : jacobian_[c.entry] * c.factor; }
  linear::Assembly assembly_;
  std::vector<bool> rate_enters_;
  struct {
    double t = 0.0;
    std::vector<double> y, yp;
  } undefined_;
};

}  // namespace driftless
