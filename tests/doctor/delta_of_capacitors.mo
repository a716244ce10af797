// A delta of capacitors with resistors to ground: the node equations add up to one without derivatives.
// expects: index 1, 2 degrees of freedom
model DeltaOfCapacitors
  parameter Real a = 1, b = 2, c = 3;
  Real u, v, w;
  Real wrong = u + v + w;
initial equation
  u - v = 1;
  v - w = 2;
equation
  a*(der(u) - der(v)) + c*(der(u) - der(w)) = -u;
  a*(der(v) - der(u)) + b*(der(v) - der(w)) = -v;
  b*(der(w) - der(v)) + c*(der(w) - der(u)) = -w;
end DeltaOfCapacitors;
