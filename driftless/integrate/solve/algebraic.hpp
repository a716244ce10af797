// Solves the rows for everything but the states: the point then satisfies every constraint at every level. Where states
// are combinations of slots, the slots change and the combinations are held: Newton's iteration on the manifold in
// local coordinates.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/system/jacobian_part.hpp"
#include "driftless/integrate/system/known_states.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class AlgebraicSolve {
 public:
  explicit AlgebraicSolve(Problem& problem);

  void states_changed() { analysed_ = false; }

  // Newton from the given point; y changes where it is not itself a state, y' where it is the rate of a state. Where
  // that does not converge, with the guard for steep functions; then with damped corrections; then along the
  // straight line from the last point that was found. False if none does, or if the rows alone do not determine the
  // rest (y and y' are then unchanged).
  bool operator()(double t, std::span<double> y, std::span<double> yp);

  // From now on, or no longer: near a point where constraints depend on each other, forces that rounding keeps from
  // becoming sharper are taken as they are. Who asks for it looks himself whether the motion is right there.
  void take_noise(bool takes) { takes_noise_ = takes; }

  // Do the rows alone determine everything but the states?
  bool determined() {
    if (!analysed_) analyse();
    return determined_;
  }

  // How far the last call moved the point in its first iteration, relative to the size of the unknowns.
  double first_correction() const { return first_correction_; }

  // The second correction of the last call by its first; 0 if there was no second.
  double contraction() const { return contraction_; }

  // The changes of the slots that follow from small changes of the states, to first order at the last point that was
  // linearized: `change` has those of the states, and on return those of all slots. Only where states are slots.
  void spread(std::span<double> change);
  const std::vector<int>& determined_slots() const { return determined_slots_; }

  // Every rate of the system at the solution of the last call.
  std::span<const double> rates();

  const Counts& counts() const { return counts_; }

  void archive(Archive& archive);

 private:
  void analyse();
  bool factorize();
  void choose_part();
  void complete_jacobian();
  void begin(double t, std::span<const double> y, std::span<const double> yp);
  void evaluate_rows();
  bool iterate(double t, std::span<const double> y, std::span<const double> yp);
  bool iterate_guarded(double t, std::span<const double> y, std::span<const double> yp);
  bool iterate_damped(double t, std::span<const double> y, std::span<const double> yp);
  bool follow_from_last(double t, std::span<const double> y);
  double correct();
  bool is_rounding(int iterations);
  const std::vector<bool>& nonlinear_slots();

  Problem& problem_;
  KnownStates known_states_;
  Guard* guard_ = nullptr;  // null: no function is steep
  std::vector<Unknown> unknowns_;
  std::vector<int> entries_;    // of the system's Jacobian that take part
  std::vector<int> of_states_;  // entries of the rows by states
  std::vector<int> determined_slots_;
  std::vector<double> weights_;  // of the slots in combinations that are held: the entries after those
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> factorization_;
  std::vector<double> values_, jacobian_, rows_, correction_, y_, yp_;
  JacobianPart part_;
  std::vector<bool> nonlinear_slots_;  // empty: not found yet
  bool takes_noise_ = false;
  std::vector<double> terms_;  // of each row: the size of its terms
  struct Point {
    double t = 0.0;
    std::vector<double> y, yp;
  };
  Point linearized_;  // where jacobian_ is known in part only
  bool has_all_entries_ = true, spreads_ = false;
  Point last_, here_, next_;  // the last point that was found; points of the continuation from there
  Point base_, full_;         // of a damped correction
  std::optional<bool> has_kinks_;
  double t_ = 0.0, first_correction_ = 0.0, contraction_ = 0.0;
  bool rates_are_current_ = false;
  Counts counts_;
  bool analysed_ = false, determined_ = false;  // made on demand: states may change more often than points are solved
};

}  // namespace driftless
