// The double pendulum in Cartesian coordinates: mass 1 hangs on the pivot, mass 2 hangs on mass 1, both by rigid rods.
// It is released at rest with both rods in line, 37 degrees from the vertical. At this energy the motion is regular:
// errors grow slowly, unlike in the famous chaotic motion from the horizontal.
//
// Index 3, two degrees of freedom (four states: x1, x2 and their rates are given).
//
// Source: classical; L. D. Landau and E. M. Lifshitz, Mechanics, section 5, problem 1.
model DoublePendulum "Two point masses on two rigid rods, in Cartesian coordinates"
  parameter Real m1(unit = "kg") = 1 "upper mass", m2(unit = "kg") = 1 "lower mass";
  parameter Real L1(unit = "m") = 1 "upper rod", L2(unit = "m") = 1 "lower rod";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real x1(unit = "m", start = 0.6, fixed = true) "upper mass, to the right";
  Real y1(unit = "m", start = -0.8) "upper mass, upwards";
  Real x2(unit = "m", start = 1.2, fixed = true) "lower mass, to the right";
  Real y2(unit = "m", start = -1.6) "lower mass, upwards";
  Real lambda1(unit = "N/m", start = 16) "force in the upper rod, per length";
  Real lambda2(unit = "N/m", start = 8) "force in the lower rod, per length";
initial equation
  der(x1) = 0;
  der(x2) = 0;
equation
  m1*der(der(x1)) = -lambda1*x1 + lambda2*(x2 - x1);
  m1*der(der(y1)) = -lambda1*y1 + lambda2*(y2 - y1) - m1*g;
  m2*der(der(x2)) = -lambda2*(x2 - x1);
  m2*der(der(y2)) = -lambda2*(y2 - y1) - m2*g;
  x1^2 + y1^2 = L1^2;
  (x2 - x1)^2 + (y2 - y1)^2 = L2^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(invariants(energy = m1*(der(x1)^2 + der(y1)^2)/2 + m2*(der(x2)^2 + der(y2)^2)/2
                                    + m1*g*y1 + m2*g*y2)));
end DoublePendulum;
