// Repairs a model whose equations are singular although their structure is not: the system Jacobian J =
// ∂f_i^(c_i)/∂x_j^(d_j) is singular at every point although its pattern is not. Two conversions of the literature on
// the Sigma-method (Tan, Nedialkov, Pryce 2017; the first is what Mattsson and Söderlind 1993 do by hand in their
// Section 4):
//
//   Combined equations. With uᵀ J = 0, the smallest c among the equations with u_i ≠ 0 and an equation l that has it,
//   f_l is replaced by sum_i u_i f_i^(c_i - c), which contains none of the highest derivatives: a hidden constraint.
//   It is allowed if u does not depend on these derivatives.
//
//   Combined variables. With J v = 0, the largest c among the equations that contain variables with v_j ≠ 0, and a
//   variable l with v_l ≠ 0,
//   the other variables get names of their own, y_j = x_j^(d_j - c) - (v_j / v_l) x_l^(d_l - c), and x_j is replaced
//   where its highest derivative occurs: that of x_l then cancels.
//
// Each reduces the sum of d_j - c_i, so finitely many suffice. Both are exact, symbolic conversions: u and v are tested
// at generic points, also with other values of the parameters. If J is singular for the present values only, these
// become part of the structure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct Repair {
  std::shared_ptr<const Model> as_written, model;  // before the repair, with its structure, and after it
  structure::Structure shape_as_written, shape;
  std::vector<std::string> steps;  // what was combined, in the user's names: one line each
  int index = 0;                   // how often equations of the user are differentiated; by definition, if it is exact
  bool index_is_exact = false;     // otherwise the index may be smaller: other ways need fewer differentiations
};

// A combination of equations in which all unknowns cancel, but a nonzero remainder is left: 0 = left_over.
struct Contradiction {
  std::vector<Equation> equations;
  std::string combination, left_over;
};

// Neither if one of the equations is redundant, or no conversion applies.
struct RepairResult {
  std::optional<Repair> repair;
  std::optional<Contradiction> contradiction;
};
RepairResult repair(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                    const HiddenSingularity& hidden);

}  // namespace driftless
