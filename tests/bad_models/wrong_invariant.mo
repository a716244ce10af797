// An invariant that is none.
model M
  parameter Real m = 2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(invariants(energy = m/2)));
end M;
