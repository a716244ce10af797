// Formulations: rewrites of the same model. A formulation decides which levels of the constraints are kept as equations
// and how the kinematic relations are changed; slots, definitions and the user's text stay as they are.
//
// For a constraint g = 0 that the Sigma-method differentiates m times (m = 2 for positions in mechanics):
//
//   Dummy                all levels g, g', ..., g^(m); as many kinematic relations are left out
//   Minimal              the same without superfluous differentiations
//   Index1               only g^(m): the constraint drifts like a polynomial of degree m - 1
//   Index2               only g^(m-1)
//   Original             only g, as written
//   Baumgarte            only (d/dt + gamma)^m g, or another polynomial in d/dt of degree m
//   DampedIndex2         only (d/dt + gamma)^(m-1) g
//   Ggl                  g, ..., g^(m-1), with a multiplier for each level below the last
//   StabilizedIndex1     all levels, with a multiplier for each level below the last
//   ProjectedInvariants  g^(m) and the lowest levels, with a multiplier for each of these
//   StabilizedOde        g^(m); the levels below decay, pulled by multipliers that are given by their residuals
//   Overdetermined       all levels, and no multipliers: corrections are generalized inverses
//   DerivativeArray      every equation with as many derivatives as ranks require; independent of the structure
//
// With the levels r(y) = 0 that have multipliers mu, the relation y' = rate(y) becomes y' = rate(y) - D mu, and mu
// vanishes on the solution. One file per formulation, all using the same operations (rewrite.hpp). The levels of stage
// < 0 that are no rows become invariants of the result: projections and overdetermined corrections find them there.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/diagnostics/refusal.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

namespace formulation {

// The matrix D in y' = rate(y) - D mu: the directions along which a multiplier mu moves the solution back to a level r
// = 0 with the gradient C = dr/dy. The solution does not depend on D, its discretization does (Ascher, Petzold 1993).
struct Transpose {};  // D = C^T
struct Mass {};       // D = B = M^-1 C^T: the directions of the constraint forces themselves
struct Unit {};       // a constant matrix of unit vectors with C D regular, chosen at the start
struct Given {
  std::vector<std::vector<double>> columns;  // one per constraint, an entry per constrained variable
};
using Direction = std::variant<Transpose, Mass, Unit, Given>;

struct Auto {};  // chosen from the indicators of the model
struct Dummy {};
struct Minimal {};
struct Index1 {};
struct Index2 {};
struct Original {};
struct Baumgarte {
  double gamma = 1.0;
  // If both are given, and only for constraints that are differentiated twice, they replace gamma.
  std::optional<double> alpha = {}, beta = {};
  // c_0, ..., c_m of c_0 g + c_1 g' + ... + c_m g^(m) = 0, for constraints that are differentiated m times.
  std::vector<double> coefficients = {};
};
// (d/dt + gamma)^(m-1) g = 0: index 2, and the levels below decay.
struct DampedIndex2 {
  double gamma = 1.0;
};
struct Ggl {
  Direction direction = Transpose{};
};
// Transpose: Führer & Leimkuhler (31)-(35); Mass: the weighted variant of Hairer & Wanner (2.27).
struct StabilizedIndex1 {
  Direction direction = Transpose{};
};
// The index-1 form with the lowest `levels` levels imposed again, each with multipliers. Pa: levels = 1. Pb: levels =
// 2, the multipliers of a level act on its own derivative only. Pc: levels = 2, coupled: D is the whole transpose.
struct ProjectedInvariants {
  int levels = 1;
  Direction direction = Transpose{};
  bool coupled = false;
};
// y' = rate(y) - gamma D (C D)^-1 r: every level below the highest decays like exp(-gamma t).
struct StabilizedOde {
  double gamma = 1.0;
  Direction direction = Transpose{};
};
// All levels at once, more equations than unknowns: each correction is a generalized inverse (Führer, Leimkuhler 1991).
struct Overdetermined {
  Correction inverse = Correction::SsfBordered;
  bool accelerations = true;  // false: without the highest level (the index-2 version)
};
// As many differential equations as degrees of freedom, in local coordinates of the manifold.
struct StateSpace {
  Chart chart = Chart::Partition;
  bool every_step = false;  // a new chart at every step, instead of when the conditioning asks
};
struct Euode {};  // the essential underlying ordinary differential equation, u = R y with R B = 0
// All equations with all their derivatives up to the same order, which is found by the ranks of their Jacobian at a
// consistent point (array/). It is not a rewrite of another reduction. CampbellMoore: differentiated until the highest
// derivatives follow; some variables are states. KunkelMehrmann: until all constraints follow, often once less; the
// differential equations are some of the model's own.
struct DerivativeArray {
  enum class Form : std::uint8_t { CampbellMoore, KunkelMehrmann };
  Form form = Form::CampbellMoore;
};
}  // namespace formulation

using Formulation =
    std::variant<formulation::Dummy, formulation::Minimal, formulation::Index1, formulation::Index2,
                 formulation::Original, formulation::Baumgarte, formulation::Ggl, formulation::StabilizedIndex1,
                 formulation::DampedIndex2, formulation::ProjectedInvariants, formulation::StabilizedOde,
                 formulation::Overdetermined, formulation::StateSpace, formulation::Euode, formulation::DerivativeArray,
                 formulation::Auto>;

std::string to_string(const Formulation& formulation);  // "dummy", "baumgarte:gamma=10", ...

// The inverse: a name, or a name with parameters after a colon. Nothing if the text is not a formulation.
std::optional<Formulation> parse_formulation(const std::string& text);
const std::vector<std::string>& formulation_names();

// Dummy and Minimal do. All others choose no states: all kinematic relations are discretized.
bool chooses_states(const Formulation& formulation);

// The reason why the formulation cannot be applied to this model, naming the equation; nothing if it can.
std::optional<Refusal> refusal_of(const Reduced& base, const Formulation& formulation);
std::optional<std::string> not_applicable(const Reduced& base, const Formulation& formulation);  // as a sentence

// `base`: the reduction with all levels (ReduceOptions::keep_constraints). The slots of the result are those of the
// base, then the multipliers, which start at zero: consistent values of the base are consistent here.
Reduced reformulate(const Reduced& base, const Formulation& formulation);

}  // namespace driftless
