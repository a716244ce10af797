// The equations that are actually solved, their unknowns, and the derivatives that are discretized.
//
// With the offsets c, d of the Sigma-method every equation i is taken with its derivatives f_i, ..., f_i^(c_i), and
// every variable j with x_j, ..., x_j^(d_j). A variable or one of its derivatives is a *quantity*. Each quantity has a
// permanent place:
//
//   Slot     a component of the vector y that the integrator sees,
//   Rate     the time derivative of the slot below it (a component of y'),
//   Defined  an expression of slots (aliases, explicit equations): it costs no unknown.
//
// The rows F(t, y, y') = 0 are all differentiated equations that did not become definitions. To these the integrator
// adds, for every slot that is a *state* at present, its kinematic relation
//
//   d/dt slot(x_j^(k)) = x_j^(k+1).
//
// Which slots are states is the only thing that dummy-derivative pivoting changes: rows, slots and histories stay.
//
// Stage of a quantity: order - d_j <= 0; stage of a row: level - c_i <= 0. Rows of a stage involve only quantities of
// the same and of lower stages, and for each stage the matrix of ∂rows/∂slots has full row rank: the stages of the
// Sigma-method.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {

struct Quantity {
  VarId variable{};
  int order = 0;
  auto operator<=>(const Quantity&) const = default;
};

enum class Place : std::uint8_t { Slot, Rate, Defined };

struct DerivedEquation {
  NodeId residual;  // definitions substituted: leaves are slots and rates only
  EqnId equation{};
  int level = 0;  // how often the user's equation was differentiated
  int stage = 0;
};

struct Definition {
  Quantity quantity;
  NodeId value;  // leaves are slots and rates only
  EqnId equation{};
  int level = 0;
};

struct Slot {
  Quantity quantity;
  int stage = 0;
  double nominal = 1.0;
  double allowance = 1.0;  // its own tolerance, in units of that of the run
  bool tested = false;     // a tolerance was given for it: it is in the error test
};

// A slot that may be a state: its time derivative is another slot or an expression of slots.
struct Kinematic {
  int slot = 0;
  NodeId rate;  // the quantity above, definitions substituted
};

// What a candidate may be in the choice of a derivative array (array/array_reduced.hpp).
enum class Role : std::uint8_t {
  State,       // a state, or dependent
  Determined,  // dependent at all times
  Open,        // a derivative that the rows may leave open: dependent, or held constant like a state
};

// Slots of one stage that compete to be states, and the rows that determine all but a few of them.
struct Choice {
  int stage = 0;
  std::vector<int> rows;
  std::vector<int> kinematics;     // candidates: indices into Reduced::kinematics
  std::vector<double> preference;  // per candidate: > 1 keeps it a state, < 1 keeps it dependent (stateSelect)
  std::vector<Role> roles = {};    // per candidate, of a derivative array; otherwise empty
  int states = 0;                  // of a derivative array: how many candidates of Role::State are states
};

// Of a form of index 1 from a derivative array (array/kunkel_mehrmann.hpp): `number` of its differential equations
// hold, and `held` of the unknowns that stand for derivatives are held. They are chosen during the run: both are
// candidates among Reduced::kinematics. An equation E of the model is the row E - s' = 0, and s' = 0 where it holds;
// d/dt x^(k) = x^(k+1) is the kinematic relation itself.
struct EquationChoice {
  std::vector<int> equations;     // kinematics: of s, or of x^(k)
  std::vector<int> rows;          // E - s' = 0 for the first of these; all rows before are algebraic
  std::vector<int> derivatives;   // kinematics: of each unknown w
  std::vector<int> differential;  // slots: x
  int number = 0, held = 0;
  bool exists() const { return !differential.empty(); }
};

// A constraint of the user that the solution must satisfy at every level, for the certificate.
struct Constraint {
  EqnId equation{};
  int level = 0;
  NodeId residual;  // in all quantities, with nothing substituted: an independent check of the reduction
};

// What the solution satisfies beyond the rows that are solved: levels of a constraint that a formulation leaves out,
// and the invariants of the model. Projections restore them, overdetermined formulations solve them with the rows.
struct Invariant {
  NodeId residual;     // leaves are slots and rates only; for an invariant of the model its value
  std::string name;    // the label of the equation, or the invariant's own name
  EqnId equation{-1};  // -1: an invariant of the model, whose value at the start is to be kept
  int level = 0;
  int stage = 0;  // of a level of a constraint: as in DerivedEquation
  bool of_model() const { return equation == EqnId{-1}; }
};

// How a correction of Newton's iteration is computed. Square: from as many equations as unknowns. The others solve the
// invariants that are levels of constraints together with the rows, by a generalized inverse (Führer, Leimkuhler 1991).
enum class Correction : std::uint8_t { Square, SsfBasis, SsfBordered, ConstrainedLeastSquares, MoorePenrose };

// In which coordinates the manifold of the constraints is described. Slots: some slots are states (dummy derivatives).
// The others keep their chart until its conditioning requires a new one: Partition by some of the slots, Tangent by the
// tangent space at a point of the trajectory, with the orthogonal complement or the one of the mass matrix.
enum class Chart : std::uint8_t { Slots, Partition, Tangent, TangentMass };

// A slot that a formulation adds and whose value follows from those of the base: consistent values of the base then
// give consistent values of the result. Slots that are added without this are multipliers, which start at zero.
struct Added {
  int slot = 0;
  NodeId value, rate;
};

struct Reduced {
  std::shared_ptr<const Model> model;
  structure::Offsets offsets;
  std::vector<Slot> slots;
  std::vector<DerivedEquation> rows;
  std::vector<Definition> definitions;
  std::vector<Kinematic> kinematics;
  std::vector<int> permanent;   // kinematics that are states at all times
  std::vector<Choice> choices;  // the rest is chosen here
  EquationChoice equation_choice = {};
  bool leaves_choice() const { return !choices.empty() || equation_choice.exists(); }
  std::vector<Constraint> constraints;
  std::vector<Invariant> invariants;
  std::vector<Added> added;
  std::vector<Quantity> quantities;          // all of them, ascending
  std::shared_ptr<const Reduced> base = {};  // the reduction that this one rewrites, with every level of every equation
  Correction correction = Correction::Square;
  Chart chart = Chart::Slots;
  bool new_chart_every_step = false;  // instead of when the conditioning requires it
  bool standard = false;              // made with the default options, as needed to find starts
  bool implicit = false;              // F(t, y, y') = 0 of index 1 with a singular ∂F/∂y': no states were chosen
  bool completes_points = true;       // given the states, the rows determine everything else on every constraint

  Place place(Quantity q) const;
  int slot_of(Quantity q) const;        // Slot: its index; Rate: the slot whose derivative it is
  int slot_at(const Node& node) const;  // the slot that an expression is; -1: it is none
  NodeId value_of(Quantity q) const;    // an expression of slots and rates
  int states() const;                   // number of kinematic relations that are active at any time
  std::string name(Quantity q) const { return derivative_name((*model)[q.variable].name, q.order); }

  // Per variable: the place of order 0, 1, ..., d_j.
  struct Address {
    Place place = Place::Slot;
    int index = -1;  // slot, slot below, or definition
  };
  std::vector<std::vector<Address>> addresses;
};

// The same reduction of a model whose pool takes new expressions (model.hpp).
std::shared_ptr<const Reduced> growable(const std::shared_ptr<const Reduced>& reduced);

struct ReduceOptions {
  bool eliminate = true;            // turn aliases and explicit equations into definitions
  bool keep_constraints = false;    // but never a constraint between differentiated variables
  bool remove_superfluous = false;  // Mattsson & Söderlind, Section 3: blocks of index 0 need no top differentiation
};

// Precondition: `shape` is the structure of the model.
Reduced reduce(std::shared_ptr<const Model> model, const structure::Structure& shape,
               const ReduceOptions& options = {});

// The model as F(t, y, y') = 0 without any differentiation, for systems with fewer states than their structure
// suggests. Precondition: all c are 0.
Reduced reduce_implicit(std::shared_ptr<const Model> model, const structure::Structure& shape);

// Is the system Jacobian ∂f_i^(c_i)/∂x_j^(d_j) singular although its structure is not? Tested at two generic points,
// block by block; the answer names the first such block (an index into shape.blocks) and its rank.
struct HiddenSingularity {
  std::size_t block = 0;
  int rank = 0;
};
std::optional<HiddenSingularity> find_hidden_singularity(const Model& model, const structure::Structure& shape);

}  // namespace driftless
