// The planar pendulum as it stands on paper: a point mass on a rigid rod, in Cartesian coordinates, x to the right
// and y upwards, with the rod's force per length lambda as an unknown. It starts level with the pivot, thrown
// downwards with speed 1, and swings up to 120 degrees on either side: neither x nor y alone is a good state all the
// way, so the choice changes four times per period (period 8.626062589998573).
//
// Index 3, one degree of freedom (two states: here y and der(y) are given, x(start) says on which side).
// At y = 0 the constraint determines x from y but not y from x, so y must be the fixed one.
//
// Source: S. E. Mattsson and G. Soderlind, Index reduction in differential-algebraic equations using dummy
// derivatives, SIAM J. Sci. Comput. 14 (1993) 677-692, Section 5, large oscillations.
model Pendulum "A point mass on a rigid rod, in Cartesian coordinates"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real vy0(unit = "m/s") = -1 "initial velocity, upwards";
  Real x(unit = "m", start = 1) "position, to the right";
  Real y(unit = "m", start = 0, fixed = true) "position, upwards";
  Real lambda(unit = "N/m", start = 1) "force in the rod, per length";
initial equation
  der(y) = vy0;
equation
  m*der(der(x)) = -lambda*x;
  m*der(der(y)) = -lambda*y - m*g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(invariants(energy = m*(der(x)^2 + der(y)^2)/2 + m*g*y)));
end Pendulum;
