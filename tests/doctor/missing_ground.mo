// A ring of resistors and no ground: the potentials occur only in differences, and the nodal equations add up to 0 = 0.
// expects error: only differences of a, b and c occur in the model: is a reference missing
model MissingGround
  Real a, b, c, i1, i2, i3;
equation
  a - b = 2*i1;
  b - c = 3*i2;
  c - a = 4*i3;
  i1 - i3 = sin(time);
  i2 - i1 = -sin(time);
  i3 - i2 = 0;
end MissingGround;
