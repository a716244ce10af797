// Recognizes in a reduction the shapes of models for which the literature has methods.
//
//   Hessenberg   x^(m) = f(t, x, ..., x^(m-1), z),  0 = g(t, x), with g_x f_z regular: index m + 1. For m = 2 the
//                velocities may also be other functions of variables of their own: x' = f(x, v), v' = k(x, v, z).
//   Mechanical   p' = v,  M(t, p) v' = f(t, p, v) - Gᵀ S lambda,  0 = g(t, p) or 0 = k(t, p, v), with the rows of G the
//                gradients of the constraints, ∂g/∂p or ∂k/∂v, and S a constant diagonal matrix. M may be singular.
//
// Slots are those of the Reduced that is examined: the reduction with all levels, or a rewrite of it without
// multipliers. Constraint levels and dynamics are expressions of slots and of the highest derivatives as leaves,
// independent of their places.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

// A shape, or the reason why the model does not have it, naming an equation or a variable.
template <class T>
struct Fit {
  std::optional<T> shape;
  std::string why_not;
  explicit operator bool() const { return shape.has_value(); }
  const T& operator*() const { return *shape; }
  const T* operator->() const { return &*shape; }
};

struct Hessenberg {
  int order = 1;                   // m
  std::vector<EqnId> constraints;  // each is differentiated m times
  std::vector<int> multipliers;    // slots z, as many
  bool explicit_rates = true;      // every derivative is an expression; otherwise rows determine some of them
};
Fit<Hessenberg> hessenberg_shape(const Reduced& reduced);

struct Mechanical {
  struct Coordinate {
    int position = 0, velocity = 0;  // slots
    NodeId acceleration;             // the leaf der(velocity)
    EqnId equation{};                // of motion
    double factor = 1.0;             // by which it is multiplied so that M is symmetric and Gᵀ S holds
  };
  struct Joint {  // a constraint
    EqnId equation{};
    bool holonomic = true;       // between positions; otherwise of velocities
    std::vector<NodeId> levels;  // its residual and the derivatives of it, the last with accelerations
    int multiplier = 0;          // slot
    double factor = 1.0;         // its entry of S
  };
  struct Entry {
    int row, column;
    NodeId value;
  };
  std::vector<Coordinate> coordinates;
  std::vector<Joint> joints;
  std::vector<Entry> mass;       // the entries of M, by coordinates
  std::vector<Entry> gradients;  // the entries of G: row = joint, column = coordinate
  std::vector<NodeId> forces;    // f, per coordinate; it may use the auxiliary slots
  std::vector<int> auxiliary;    // algebraic slots that rows determine from positions and velocities
  bool regular_mass = false;     // at generic points
  bool constant_mass = false;
  bool forces_of_positions = false;  // f depends on positions and time only
  bool autonomous = false;           // time does not occur

  bool holonomic() const;
};
Fit<Mechanical> mechanical_shape(const Reduced& reduced);

// One line for people: "mechanical: 2 coordinates, 1 constraint of positions; index 3".
std::string describe_shape(const Reduced& reduced);

}  // namespace driftless
