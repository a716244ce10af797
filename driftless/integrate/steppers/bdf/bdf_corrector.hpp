// Newton's iteration for the equations of a BDF step, from the prediction of the history.
//
// Its matrix is kept from step to step while alpha changes little. Where the iteration fails with a new one, further
// ones begin at the prediction: with tangents in place of steep functions (guarded_iteration.hpp), or, when smaller
// steps have not helped, with shortened corrections. Each of these uses a new matrix for every correction.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/integrate/solve/step_equations.hpp"
#include "driftless/integrate/steppers/bdf/bdf_history.hpp"
#include "driftless/integrate/steppers/bdf/bdf_weights.hpp"
#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

class BdfCorrector {
 public:
  // `is_fixed`: no smaller step can be tried.
  BdfCorrector(Problem& problem, const BdfWeights& weights, NewtonTest newton, bool is_fixed);

  void states_changed();
  void renew_matrix_next_time() { matrix_is_stale_ = true; }

  void begin_step();
  // Solves the step that the history has prepared, with its end at t.
  newton::End solve(const BdfHistory& history, double t);
  // To be called when the step is tried again with a smaller size, or was accepted.
  void note_failure();
  void note_success();
  int failures() const { return failures_; }  // of this step

  // The iterate. Its vectors may be swapped with others of the same size.
  std::vector<double>& y() { return y_; }
  std::vector<double>& yp() { return yp_; }
  std::span<const double> correction() const { return correction_; }  // y - y_pred

  StepReport failure() const;  // why the last iteration failed

  // Weights with which ∂F/∂y' e is compared row by row: reciprocals of the units of the terms of each row.
  void weights_of_rows(std::vector<double>& weights);

  const IterationMatrix& matrix() const { return matrix_; }
  void add_to(Statistics& statistics) const;
  void archive(Archive& archive);

 private:
  void take_pattern();
  void begin_at_prediction(const BdfHistory& history);
  newton::End iterate(double t, bool matrix_is_fresh);
  newton::End iterate_guarded(const BdfHistory& history, double t, newton::End otherwise);
  newton::End iterate_shortened(const BdfHistory& history, double t, newton::End otherwise);
  newton::Correction correct_by_new_matrix(double t);
  newton::End renew_matrix(double t);
  double gain_of_rates();
  bool rates_use_rates() const;
  bool is_rounding(double t);
  double advance(double factor);

  Problem& problem_;
  const BdfWeights& weights_;
  NewtonTest newton_;
  bool is_fixed_;
  StepEquations equations_;
  Guard* guard_;  // null: no function is steep
  double alpha_ = 1.0;
  std::vector<double> y_, yp_, correction_, delta_;
  std::vector<double> rounded_, rounding_;   // of the iterate: the effect of its last digit
  std::vector<double> sizes_, row_weights_;  // used if rates occur in rates
  std::vector<double> row_scale_, column_scale_;
  IterationMatrix matrix_;
  double matrix_alpha_ = 1.0;
  double bound_;  // of the error of the iteration
  bool rates_use_rates_ = false;
  double rate_ = 0.0;            // of the last iteration with this matrix; 0: there was none
  bool is_last_resort_ = false;  // smaller steps have not helped
  bool resort_helped_ = false;   // in this step, or in the previous one
  int failures_ = 0;
  int failures_of_late_ = 0;  // recent failures, each counted as the number of steps that make up for it
  bool matrix_is_stale_ = true, undefined_ = false, singular_ = false;
  Counts counts_;
};

}  // namespace driftless
