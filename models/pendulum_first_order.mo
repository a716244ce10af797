// The planar pendulum of pendulum.mo with the velocities written as variables of their own: five equations instead of
// three, the same motion. The reduced system must come out the same.
//
// Index 3, one degree of freedom (two states: y and vy are given).
//
// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, Example 3 and Section 5.
model PendulumFirstOrder "The planar pendulum as a first-order system"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real vy0(unit = "m/s") = -1 "initial velocity, upwards";
  Real x(unit = "m", start = 1) "position, to the right";
  Real y(unit = "m", start = 0, fixed = true) "position, upwards";
  Real vx(unit = "m/s", start = 0) "velocity, to the right";
  Real vy(unit = "m/s", start = vy0, fixed = true) "velocity, upwards";
  Real lambda(unit = "N/m", start = 1) "force in the rod, per length";
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -lambda*x;
  m*der(vy) = -lambda*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(invariants(energy = m*(vx^2 + vy^2)/2 + m*g*y)));
end PendulumFirstOrder;
