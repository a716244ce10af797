// The oscillator of lq_oscillator.mo where the control costs nothing: d = 0. The necessary conditions have index 3. The
// constraint v2 = 0 and its derivative v1 + c2 y2 = 0 leave two states, so one condition may be imposed at either end:
// the position at the start, the costate v1 at the end. With w = sqrt(c1/c2) and T the end,
//
//   y1 = cosh(w (T - t))/cosh(w T),   y2 = y1',   v1 = P y1,   P = c2 w tanh(w (T - t)),
//
// and P solves the Riccati equation P' = P^2/c2 - c1 of the control problem in which y2 is the control.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, Exercise 8 (1.52).
model LqOscillatorSingular "Linear-quadratic control of an oscillator with free control, index 3"
  parameter Real c1 = 4, c2 = 1;
  Real y1(start = 1, fixed = true) "position";
  Real y2 "velocity";
  Real v1, v2 "costates";
  Real u "control";
equation
  der(y1) = y2;
  der(y2) = -y1 + u;
  der(v1) = v2 - c1*y1;
  der(v2) = -v1 - c2*y2;
  0 = v2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8), __Driftless(finalEquations = {v1 == 0}));
end LqOscillatorSingular;
