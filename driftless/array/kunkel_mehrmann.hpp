// The form of index 1 that Kunkel and Mehrmann (2006, Chapters 4 and 6) find in the derivative array with mu
// differentiations. With x the variables and their derivatives below the highest (and those variables that have no
// derivative in the model), and w all other unknowns of the array,
//
//   M = ∂array/∂w,  N = ∂array/∂x,  Z2ᵀ M = 0,  a = rank Z2ᵀ N,  Z2ᵀ N T2 = 0,  d = number of x - a,
//
// mu is large enough if some d of the differential equations E, those of the model and d/dt x_j^(k) = x_j^(k+1), have
// regular slopes by the rates in the directions T2: rank (∂E/∂x' T2) = d. Since T2 is the kernel of Z2ᵀ N, that is
//
//   rank [ N      M ]
//        [ ∂E/∂x' 0 ]  =  number of x + rank M.
//
// Then
//
//   d differential equations  E_i(t, x, x') = 0,     all equations of the array  F_mu(t, x, w) = 0
//
// determine the solution, with w unknowns of their own: the derivatives in the array are not those of x. As many w as M
// leaves open are held, d/dt w_i = 0.
//
// Which d equations and which w is chosen during the run (integrate/states/equation_selection.hpp). For this purpose
// every E_i has an unknown of its own, the integral of its defect:
//
//   E_i(t, x, x') = s_i',   and s_i' = 0 for d of them.
//
// Both s_i' = 0 and d/dt w_i = 0 are relations like those of states, so another choice changes neither equations nor
// unknowns, and step size, order and history survive.
#pragma once

#include <optional>

#include "driftless/array/derivative_array.hpp"

namespace driftless {

struct StrangenessFree {
  int constraints = 0, degrees_of_freedom = 0;  // a, d
  int open = 0;                                 // number of w that are held
  double smallest_kept = 1.0, largest_dropped = 0.0;
  bool clear = true;
};

// Nothing if mu is too small, or the array does not have full row rank. Precondition: the entries are finite.
std::optional<StrangenessFree> strangeness_free(const DerivativeArray& array,
                                                const Eigen::SparseMatrix<double>& jacobian);

// The equations of index 1. `value_of_slot`, `rate_of_slot`: y and y' of each slot at a consistent point as quantities
// of the model; 0 without one.
struct StrangenessFreeForm {
  Reduced reduced;
  std::vector<std::optional<Quantity>> value_of_slot;
  std::vector<std::optional<Quantity>> rate_of_slot;
};
StrangenessFreeForm strangeness_free_form(const DerivativeArray& array, const StrangenessFree& choice);

}  // namespace driftless
