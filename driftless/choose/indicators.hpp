// Numbers by which a formulation and a method are chosen.
//
// At the start, by one linearization: how often, within the interval of length T, the fastest modes of the underlying
// ordinary differential equation decay by 1/e or turn by one radian,
//
//   decay         T (max(-Re λ) - max(Re λ, 0))   0 for conservative motion, which decays and grows alike
//   oscillation   T max |Im λ|
//
// An explicit method needs about a third of `decay` steps, however slowly the solution changes.
//
// At points of a short trial run (Ascher, Petzold 1993): h is the step that the accuracy of the solution suggests; S
// belongs to R as in [R; C]^-1 = [S, F], R B = 0, with orthonormal rows of R that move as little as possible.
//
//   frozen_stiffness     h rho(R A S)                     fast modes if the constraints are frozen
//   variable_stiffness   h min(|F C'|, |R' S|)            fast modes because the constraints move
//   constraint_speed     h max(|C'| |C^+|, |F'| |F^+|)    the constraints, or the directions of their forces, turn fast
//   heterogeneity        |F| / |C^+|                      1 if the forces are normal to the constraints, B = C^T
//   conditioning         cond(C B)
//
// F C' alone cannot distinguish a constraint whose gradient turns fast from a stiff equation; a small R' S excludes the
// latter.
//
// The constants of the theorem on well-conditioning: K1 = |(CB)^-1|, K2 = |[R; C]^-1|, K3 bounds B, C and R with their
// first derivatives, K4 is the largest growth of a perturbation that satisfies the constraints.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/choose/trial.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless::choose {

// The kind of the equations, for the choice of a method.
enum class Kind {
  ExplicitOde,   // index 0
  Index1,        // nothing must be differentiated
  Implicit,      // F(t, y, y') = 0 of index 1 with fewer states than its structure suggests
  Holonomic,     // x^(m) = f + B y, 0 = g(x): Hessenberg form, mechanics for m = 2
  Nonholonomic,  // the same with constraints on velocities only
  General,       // anything else
};
const char* to_string(Kind kind);

// Which part of the problem is fast (Ascher, Petzold 1993, Section 4.2).
enum class Case { None, Slow, FastConstraints, StiffFrozen, StiffVariable };

struct Indicators {
  Kind kind = Kind::General;
  int index = 0, unknowns = 0, constraints = 0, degrees_of_freedom = 0;
  int order = 0;                 // m: how often the constraints are differentiated, at most
  bool constant_linear = false;  // linear with constant coefficients
  bool smooth = true;            // no abs, min, if, ...: the solution has a series
  bool hamiltonian = false;      // constant masses, forces that depend on positions only
  int invariants = 0;            // number of invariants that the model declares
  bool restarts = false;         // events change the equations or the states
  bool fixed_step = false;       // the user gave a step size
  double tolerance = 1e-6;
  double decay = 0.0, oscillation = 0.0;  // 0 for large models and where there is no linearization
  double series_by_explicit = 0.0;        // predicted ratio of their work (integrate/steppers/work.hpp); 0 if unknown
  double accuracy_step = 0.0, horizon = 0.0;
  bool measured = false;  // the following values come from the trial run

  double frozen_stiffness = 0.0, variable_stiffness = 0.0, constraint_speed = 0.0;
  double heterogeneity = 1.0, conditioning = 1.0, rank_margin = 1.0;
  double K1 = 0.0, K2 = 0.0, K3 = 0.0;
  std::optional<double> K4 = {};  // not for large models
  Case problem_case() const;
};

// The thresholds for "large".
struct Thresholds {
  static constexpr double stiffness = 1.0, speed = 1.0, heterogeneity = 10.0, conditioning = 1e8;
  static constexpr double decay = 200.0;  // at 1e-6 and looser tolerances
};
// The largest decay of a model that is not stiff. Steps of order 8 decrease with the tolerance, and the sharper it is,
// the less stability limits them.
double largest_decay(double tolerance);

// Sizes and flags of the reduction for dummy derivatives, from the structure alone. The kind is General where there are
// constraints.
Indicators sizes_of(const Reduced& base, const structure::Structure& shape);

// Properties found in a reduction with all levels of all constraints: the kind; and whether the equations are linear or
// Hamiltonian, which is needed for constant steps only.
Kind kind_of(const Reduced& levels);
void add_forms(Indicators& indicators, const Reduced& levels);

// Adds the indicators at the start.
void glance(Indicators& indicators, System& system, const State& start, double interval);

// Adds the indicators measured along the trial run.
void measure(Indicators& indicators, System& system, const Trial& trial);

}  // namespace driftless::choose
