// Two capacitors in series whose middle node has no other branch: its charge is constant, and stands in no equation alone.
// expects: index 1, 2 degrees of freedom
model FloatingCapacitors
  parameter Real C1 = 1, C2 = 2, R = 3;
  Real u, m, v;
  Real wrong[2] = {u + v, C1*(u - m) - C2*(m - v) - 1};
initial equation
  C1*(u - m) = C2*(m - v) + 1;
  u - v = 1;
equation
  C1*(der(u) - der(m)) = -u/R;
  C1*(der(m) - der(u)) + C2*(der(m) - der(v)) = 0;
  C2*(der(v) - der(m)) = -v/R;
end FloatingCapacitors;
