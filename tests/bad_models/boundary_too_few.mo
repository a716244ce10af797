model BoundaryTooFew
  Real x, v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(finalEquations = {x == 1}));
end BoundaryTooFew;
