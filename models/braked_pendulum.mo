// A pendulum with a magnetic brake: a field that is switched on for a while resists every motion of the mass, like a
// thick fluid. The mass swings freely, is caught on its way and creeps, and swings again when the field fades. So the
// model changes its character twice: not stiff at first, then stiff (velocities decay at the rate k/m, up to 10,000
// times faster than the motion), then not stiff again.
//
// Index 3, one degree of freedom (two states: y and der(y) are given, x(start) says on which side).
//
// Source: own, to see that methods are changed on the way.
model BrakedPendulum "A point mass on a rigid rod, with a brake that is switched on and off"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real vy0(unit = "m/s") = -1 "initial velocity, upwards";
  parameter Real strength(unit = "N.s/m") = 10000 "of the brake at its strongest";
  parameter Real middle(unit = "s") = 18 "of the time in which it is on";
  parameter Real width(unit = "s") = 6 "half of that time";
  Real x(unit = "m", start = 1) "position, to the right";
  Real y(unit = "m", start = 0, fixed = true) "position, upwards";
  Real lambda(unit = "N/m", start = 1) "force in the rod, per length";
  Real k(unit = "N.s/m") "force of the brake, per velocity";
initial equation
  der(y) = vy0;
equation
  k = strength*exp(-((time - middle)/width)^4);
  m*der(der(x)) = -lambda*x - k*der(x);
  m*der(der(y)) = -lambda*y - k*der(y) - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 50, Tolerance = 1e-6));
end BrakedPendulum;
