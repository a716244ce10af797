// x'' + x = 0 over half a period: x is 0 at both ends, or nothing is.
model BoundaryContradiction
  Real x(start = 0, fixed = true);
equation
  der(der(x)) = -x;
  annotation(experiment(StopTime = 3.141592653589793), __Driftless(finalEquations = {x == 1}));
end BoundaryContradiction;
