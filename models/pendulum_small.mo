// The planar pendulum of pendulum.mo released at rest from the small angle phi0 = 0.1 (period 6.287114549310480).
// It stays near the bottom, where x is a good state all the way: no change of states is ever needed, and keeping y
// as the state must fail at x = 0.
//
// Index 3, one degree of freedom (two states: x and der(x) are given).
//
// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, Section 5, small oscillations.
model PendulumSmall "The planar pendulum, small oscillations"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real phi0(unit = "rad") = 0.1 "angle of release, from the downward vertical";
  Real x(unit = "m", start = L*sin(phi0), fixed = true) "position, to the right";
  Real y(unit = "m", start = -L*cos(phi0)) "position, upwards";
  Real lambda(unit = "N/m", start = 1) "force in the rod, per length";
initial equation
  der(x) = 0;
equation
  m*der(der(x)) = -lambda*x;
  m*der(der(y)) = -lambda*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(invariants(energy = m*(der(x)^2 + der(y)^2)/2 + m*g*y)));
end PendulumSmall;
