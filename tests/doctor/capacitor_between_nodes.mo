// A capacitor between two nodes without one to ground: both node equations have C (u1' - u2').
// expects: index 1, 1 degree of freedom
model CapacitorBetweenNodes
  parameter Real C = 0.5, R = 2;
  Real u1, u2, charge(start = 1, fixed = true) = u1 - u2;
  Real wrong = charge - exp(-time/(2*R*C));
equation
  C*(der(u1) - der(u2)) = -u1/R;
  C*(der(u2) - der(u1)) = -u2/R;
end CapacitorBetweenNodes;
