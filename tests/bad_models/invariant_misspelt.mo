model InvariantMisspelt
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(invariant(energy = v^2/2 + x^2/2)));
end InvariantMisspelt;
