// The ordinary differential equation for the states, where the rows determine everything else:
//
//   y_states' = f(t, y_states),   and with it all other slots.
//
// Each evaluation solves the rows; in mechanics this is the saddle-point system for accelerations and multipliers. Rows
// that are linear in their unknowns may have kernels and an elimination of their own (linear_rows.hpp), which pays if
// they are solved many times; otherwise Newton's iteration solves them (algebraic.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/linear_rows.hpp"

namespace driftless {

enum class SolveRows { Newton, LinearWherePossible };

class Slopes {
 public:
  explicit Slopes(Problem& problem, SolveRows how = SolveRows::Newton);

  void states_changed();
  // Compiles kernels that make many evaluations near this point cheaper.
  void prepare(double t, std::span<const double> y);
  const std::vector<int>& states() const { return states_; }  // slots, ascending

  // Computes every other slot and y' from the states in y. On entry these are the initial guess of Newton's iteration.
  // False if the rows cannot be solved here.
  bool operator()(double t, std::span<double> y, std::span<double> yp);

  // Extends errors of the states to the slots that are returned, to first order. None where no function is steep: slots
  // that depend gently on the states keep the tolerance if the states do.
  std::span<const int> spread(std::span<double> error);

  // Did the last call fail because a value does not exist? Problem::undefined_at() is then the point.
  bool undefined() const { return undefined_; }

  void take_noise() { solve_.take_noise(true); }  // algebraic.hpp

  LinearRows* linear() { return linear_.get(); }  // null: Newton's iteration
  Counts counts() const;

  void archive(Archive& archive);

 private:
  void take_states();
  std::span<const double> rates_alone(double t, std::span<const double> y, std::span<const double> yp);
  bool explain(double t, std::span<const double> y, std::span<const double> yp);

  Problem& problem_;
  KnownStates known_states_;
  SolveRows how_;
  AlgebraicSolve solve_;
  std::unique_ptr<LinearRows> linear_;
  std::vector<int> states_;
  std::vector<double> residual_, rates_;
  long evaluations_alone_ = 0;
  bool undefined_ = false;
};

// Why the rows cannot be solved for everything but the states, naming an equation; nothing if their structure allows
// it.
std::optional<std::string> leaves_more_than_states(const Problem& problem);

}  // namespace driftless
