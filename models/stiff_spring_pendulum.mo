// A pendulum with a stiff, damped spring: mass 1 hangs on a rigid rod from the pivot, mass 2 hangs on mass 1 by a spring
// that is almost as rigid as the rod. The swing takes seconds, the spring relaxes within milliseconds (in line with the
// rod it is critically damped, with modes of -1000 1/s): the equations are stiff, the constraint itself turns slowly.
//
// Index 3, three degrees of freedom (six states: x1, x2, y2 and their rates are given). Released at rest in line, with
// the spring at its natural length; it stretches by some 1e-5 m at once.
model StiffSpringPendulum "A rigid rod and a stiff spring, one below the other"
  parameter Real m1(unit = "kg") = 1 "upper mass", m2(unit = "kg") = 1 "lower mass";
  parameter Real L(unit = "m") = 1 "length of the rod", l(unit = "m") = 1 "natural length of the spring";
  parameter Real k(unit = "N/m") = 1e6 "stiffness of the spring", c(unit = "N.s/m") = 2e3 "its damping";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x1(unit = "m", start = 0.6, fixed = true) "upper mass, to the right";
  Real y1(unit = "m", start = -0.8) "upper mass, upwards";
  Real x2(unit = "m", start = 1.2, fixed = true) "lower mass, to the right";
  Real y2(unit = "m", start = -1.6, fixed = true) "lower mass, upwards";
  Real s(unit = "m", start = 1) "length of the spring";
  Real F(unit = "N/m") "force in the spring, per length";
  Real lambda(unit = "N/m", start = 16) "force in the rod, per length";
initial equation
  der(x1) = 0;
  der(x2) = 0;
  der(y2) = 0;
equation
  s = sqrt((x2 - x1)^2 + (y2 - y1)^2);
  s*F = k*(s - l) + c*((x2 - x1)*(der(x2) - der(x1)) + (y2 - y1)*(der(y2) - der(y1)))/s;
  m1*der(der(x1)) = -lambda*x1 + F*(x2 - x1);
  m1*der(der(y1)) = -lambda*y1 + F*(y2 - y1) - m1*g;
  m2*der(der(x2)) = -F*(x2 - x1);
  m2*der(der(y2)) = -F*(y2 - y1) - m2*g;
  x1^2 + y1^2 = L^2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end StiffSpringPendulum;
