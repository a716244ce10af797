model InvariantUndetermined
  Real x(start = 1, fixed = true), z;
equation
  der(x) = z;
  z = -x^3;
  annotation(__Driftless(invariants(strange = x + der(z))));
end InvariantUndetermined;
