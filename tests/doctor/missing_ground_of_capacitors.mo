// Charges that move between three nodes, none of which is the ground: derivatives of potentials occur only in differences.
// expects error: only differences of a, b and c occur in the model: is a reference missing
model MissingGroundOfCapacitors
  Real a(start = 1), b, c;
equation
  2*(der(a) - der(b)) + (a - c)/3 = sin(time);
  2*(der(b) - der(a)) + (b - c)/5 = 0;
  (c - a)/3 + (c - b)/5 = -sin(time);
end MissingGroundOfCapacitors;
