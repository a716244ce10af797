// Linear-quadratic control of an oscillator: minimize the integral of (c1 y1^2 + c2 y2^2 + d u^2)/2. With d > 0 the
// necessary conditions have index 1 and four states.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, Exercise 8 (1.52).
model LqOscillator "Linear-quadratic control of an oscillator, index 1"
  parameter Real c1 = 4, c2 = 1, d = 0.25;
  Real y1(start = 1, fixed = true) "position";
  Real y2(start = 0.5, fixed = true) "velocity";
  Real v1, v2 "costates";
  Real u "control";
equation
  der(y1) = y2;
  der(y2) = -y1 + u;
  der(v1) = v2 - c1*y1;
  der(v2) = -v1 - c2*y2;
  0 = v2 + d*u;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8), __Driftless(finalEquations = {v1 == 0, v2 == 0}));
end LqOscillator;
