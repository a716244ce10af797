// Planar mechanisms from their parts. A slider-crank:
//
//   Mechanism m("SliderCrank", {.gravity = 9.81});
//   const Body crank = m.body("crank", {.mass = 0.6, .inertia = 1e-3, .x = 0.05});
//   const Body rod = m.body("rod", {.mass = 0.4, .inertia = 3e-3, .x = 0.25});
//   const Body slider = m.body("slider", {.mass = 0.5, .inertia = 1e-3, .x = 0.4});
//   m.revolute("bearing", m.ground(0, 0), crank.at(-0.05, 0));
//   m.revolute("crank pin", crank.at(0.05, 0), rod.at(-0.15, 0));
//   m.revolute("slider pin", rod.at(0.15, 0), slider.at(0, 0));
//   m.prismatic("guide", m.ground(0, 0), slider.at(0, 0));
//   m.hold(crank.angle, 0.0, 20.0);
//   Model model = m.build();
//
// Every body has the coordinates "crank.x", "crank.y" of its centre of mass and its "crank.angle"; a point mass has no
// angle. Forces come from a potential U and a dissipation function D (Rayleigh 1873), constraints act through their
// gradients:
//
//   M p'' = -∂U/∂p - ∂D/∂v + Q - G^T lambda,   g = 0.
//
// Without dampers and applied forces the energy is an invariant of the model. Masses, lengths and stiffnesses are
// parameters of the model ("crank.mass", "spring.stiffness").
#pragma once

#include <string>
#include <vector>

#include "driftless/model/mechanics.hpp"

namespace driftless {

// A point that is fixed in a body or in the ground, in coordinates of the plane.
struct BodyPoint {
  Expr x, y;
  Expr angle;  // of its body
};

struct Body {
  Expr x, y, angle;  // a point mass has the angle 0
  BodyPoint at(Expr local_x, Expr local_y) const;
  BodyPoint centre() const { return {x, y, angle}; }
};

struct BodyOptions {
  double mass = 1.0;
  double inertia = 1.0;                  // about the centre of mass
  double x = 0.0, y = 0.0, angle = 0.0;  // guesses for the start
};

struct PointMassOptions {
  double mass = 1.0;
  double x = 0.0, y = 0.0;
};

struct SpringOptions {
  double stiffness = 0.0, length = 0.0, damping = 0.0;
};

struct TorsionOptions {
  double stiffness = 0.0, angle = 0.0, damping = 0.0;
};

struct MechanismOptions {
  double gravity = 9.81;  // in the direction of -y
  Experiment experiment = {};
};

class Mechanism {
 public:
  explicit Mechanism(std::string name, const MechanismOptions& options = {});

  Body body(const std::string& name, const BodyOptions& options);
  Body point_mass(const std::string& name, const PointMassOptions& options);
  BodyPoint ground(double x, double y, double angle = 0.0) const { return {x, y, angle}; }

  // The points coincide. The multipliers "<name>.fx", "<name>.fy" are the force of the first body on the second.
  void revolute(const std::string& name, const BodyPoint& a, const BodyPoint& b);
  // b moves along the line through a in the direction `axis`, an angle in the body of a, and does not rotate relative
  // to it.
  void prismatic(const std::string& name, const BodyPoint& a, const BodyPoint& b, double axis = 0.0);
  // A massless rigid rod. The multiplier "<name>.lambda" is the tension per length.
  void distance(const std::string& name, const BodyPoint& a, const BodyPoint& b, double length);
  // Any other constraint, residual = 0, in coordinates, their derivatives and time.
  void constraint(const std::string& name, Expr residual);

  void spring(const std::string& name, const BodyPoint& a, const BodyPoint& b, const SpringOptions& options);
  void torsion_spring(const std::string& name, const BodyPoint& a, const BodyPoint& b, const TorsionOptions& options);
  void force(const BodyPoint& at, Expr fx, Expr fy);
  void torque(const Body& on, Expr value);

  // Fixes this coordinate and its velocity at the start. As many coordinates as degrees of freedom must be held; the
  // others follow from the constraints, near the given values of the bodies.
  void hold(Expr coordinate, double start, double velocity);

  Expr time() const { return builder_.time(); }
  Expr parameter(const std::string& name, double value) { return builder_.parameter(name, value); }

  Model build() const;

 private:
  Expr coordinate(std::string name, Expr inertia, double start, const char* unit);
  std::size_t index_of(Expr coordinate) const;

  ModelBuilder builder_;
  Expr gravity_;
  std::vector<Coordinate> coordinates_;  // they are the first variables of the model
  std::vector<Expr> p_, inertia_, applied_;
  std::vector<MechanicalConstraint> constraints_;
  Expr kinetic_, potential_, dissipation_;
};

}  // namespace driftless
