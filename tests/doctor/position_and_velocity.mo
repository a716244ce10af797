// A position is prescribed, and in another equation the velocity that follows from it; two forces have one equation.
// expects error: 3 equations determine only 2 unknowns: x and v
// expects error: 1 equation must determine 2 unknowns: f and g
model PositionAndVelocity
  Real x, v, f, g;
equation
  der(x) = v;
  der(v) = f + g;
  x = sin(time);
  v = cos(time);
end PositionAndVelocity;
