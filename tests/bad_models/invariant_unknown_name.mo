model InvariantUnknownName
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(invariants(energy = v^2/2 + X^2/2)));
end InvariantUnknownName;
