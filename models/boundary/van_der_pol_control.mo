// Optimal control of van der Pol's oscillator: minimize the integral of (x1^2 + x2^2 + u^2)/2 from a given start. The
// necessary conditions are written out; the Hamiltonian is constant along solutions.
model VanDerPolControl "Necessary conditions of optimal control of van der Pol's oscillator"
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true) "states";
  Real v1, v2 "costates";
  Real u "control";
equation
  der(x1) = x2;
  der(x2) = (1 - x1^2)*x2 - x1 + u;
  der(v1) = -x1 + v2*(2*x1*x2 + 1);
  der(v2) = -x2 - v1 - (1 - x1^2)*v2;
  0 = u + v2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
             __Driftless(finalEquations = {v1 == 0, v2 == 0},
                         invariants(hamiltonian = (x1^2 + x2^2 + u^2)/2 + v1*x2 + v2*((1 - x1^2)*x2 - x1 + u))));
end VanDerPolControl;
