#include "driftless/model/multibody.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

Expr square(Expr a) { return a * a; }

}  // namespace

BodyPoint Body::at(Expr local_x, Expr local_y) const {
  const Expr c = cos(angle), s = sin(angle);
  return {x + c * local_x - s * local_y, y + s * local_x + c * local_y, angle};
}

Mechanism::Mechanism(std::string name, const MechanismOptions& options)
    : builder_(std::move(name)), gravity_(builder_.parameter("g", options.gravity, {.unit = "m/s2"})) {
  builder_.experiment(options.experiment);
}

Expr Mechanism::coordinate(std::string name, Expr inertia, double start, const char* unit) {
  coordinates_.push_back({.name = std::move(name), .start = start, .unit = unit});
  p_.push_back(add_coordinates(builder_, {coordinates_.back()}).front());
  inertia_.push_back(inertia);
  applied_.emplace_back(0.0);
  kinetic_ += inertia / 2.0 * square(der(p_.back()));
  return p_.back();
}

Body Mechanism::point_mass(const std::string& name, const PointMassOptions& options) {
  const Expr mass = builder_.parameter(name + ".mass", options.mass, {.unit = "kg"});
  Body body;
  body.x = coordinate(name + ".x", mass, options.x, "m");
  body.y = coordinate(name + ".y", mass, options.y, "m");
  potential_ += mass * gravity_ * body.y;
  return body;
}

Body Mechanism::body(const std::string& name, const BodyOptions& options) {
  Body body = point_mass(name, {.mass = options.mass, .x = options.x, .y = options.y});
  const Expr inertia = builder_.parameter(name + ".inertia", options.inertia, {.unit = "kg.m2"});
  body.angle = coordinate(name + ".angle", inertia, options.angle, "rad");
  return body;
}

void Mechanism::revolute(const std::string& name, const BodyPoint& a, const BodyPoint& b) {
  constraints_.push_back({name + ".x", a.x - b.x, name + ".fx"});
  constraints_.push_back({name + ".y", a.y - b.y, name + ".fy"});
}

void Mechanism::prismatic(const std::string& name, const BodyPoint& a, const BodyPoint& b, double axis) {
  const Expr direction = a.angle + axis;
  constraints_.push_back(
      {name + ".line", sin(direction) * (b.x - a.x) - cos(direction) * (b.y - a.y), name + ".force"});
  if (!(a.angle - b.angle).is_zero()) constraints_.push_back({name + ".turn", a.angle - b.angle, name + ".torque"});
}

void Mechanism::distance(const std::string& name, const BodyPoint& a, const BodyPoint& b, double length) {
  const Expr L = builder_.parameter(name + ".length", length, {.unit = "m"});
  constraints_.push_back({name, (square(a.x - b.x) + square(a.y - b.y) - square(L)) / 2.0});
}

void Mechanism::constraint(const std::string& name, Expr residual) { constraints_.push_back({name, residual}); }

void Mechanism::spring(const std::string& name, const BodyPoint& a, const BodyPoint& b, const SpringOptions& options) {
  const Expr stiffness = builder_.parameter(name + ".stiffness", options.stiffness, {.unit = "N/m"});
  const Expr square_of_length = square(a.x - b.x) + square(a.y - b.y);
  if (options.length == 0.0 && options.damping == 0.0) {
    potential_ += stiffness / 2.0 * square_of_length;  // also where the points coincide
    return;
  }
  const Expr rest = builder_.parameter(name + ".length", options.length, {.unit = "m"});
  const Expr length = sqrt(square_of_length);
  potential_ += stiffness / 2.0 * square(length - rest);
  if (options.damping == 0.0) return;
  const Expr damping = builder_.parameter(name + ".damping", options.damping, {.unit = "N.s/m"});
  dissipation_ += damping / 2.0 * square(der(length));
}

void Mechanism::torsion_spring(const std::string& name, const BodyPoint& a, const BodyPoint& b,
                               const TorsionOptions& options) {
  const Expr turn = b.angle - a.angle;
  const Expr stiffness = builder_.parameter(name + ".stiffness", options.stiffness, {.unit = "N.m/rad"});
  const Expr rest = builder_.parameter(name + ".angle", options.angle, {.unit = "rad"});
  potential_ += stiffness / 2.0 * square(turn - rest);
  if (options.damping == 0.0) return;
  const Expr damping = builder_.parameter(name + ".damping", options.damping, {.unit = "N.m.s/rad"});
  dissipation_ += damping / 2.0 * square(der(turn));
}

void Mechanism::force(const BodyPoint& at, Expr fx, Expr fy) {
  for (std::size_t j = 0; j < p_.size(); ++j) applied_[j] += partial(at.x, p_[j]) * fx + partial(at.y, p_[j]) * fy;
}

void Mechanism::torque(const Body& on, Expr value) { applied_[index_of(on.angle)] += value; }

std::size_t Mechanism::index_of(Expr coordinate) const {
  const auto found = std::ranges::find_if(p_, [&](const Expr& p) { return (p - coordinate).is_zero(); });
  if (found != p_.end()) return static_cast<std::size_t>(found - p_.begin());
  Diagnostics diagnostics;
  diagnostics.error(Code::WrongMechanism, {},
                    "what is held at the start or driven by a torque must be a coordinate of a body");
  throw ModelError(std::move(diagnostics), Sources{});
}

void Mechanism::hold(Expr coordinate, double start, double velocity) {
  Coordinate& held = coordinates_[index_of(coordinate)];
  held.start = start;
  held.velocity = velocity;
  held.fixed = true;
}

Model Mechanism::build() const {
  Lagrangian parts{.kinetic = kinetic_, .potential = potential_, .constraints = constraints_, .force = applied_};
  for (std::size_t j = 0; j < p_.size(); ++j) parts.force[j] -= partial(dissipation_, der(p_[j]));
  ModelBuilder builder = builder_;
  EquationsOfMotion motion = equations_of(parts, builder.time(), p_);
  motion.mass = diagonal(inertia_);  // the same, in the usual form
  add_equations(builder, coordinates_, p_, motion);
  for (std::size_t j = 0; j < p_.size(); ++j)
    if (const Coordinate& c = coordinates_[j]; c.fixed)
      builder.initial_equation(der(p_[j]) == c.velocity, "velocity of " + c.name);
  Model model = builder.build();
  for (std::size_t j = 0; j < p_.size(); ++j) {
    model.variables[j].start = coordinates_[j].start;
    model.variables[j].fixed = coordinates_[j].fixed;
  }
  return model;
}

}  // namespace driftless
