// A position is prescribed, and in another equation the velocity that follows from it; two forces share the load.
// expects: index 3, 0 degrees of freedom
// expects: line 11 is left out: it holds wherever the others do; not unique, and taken as small as possible: f, g
model PositionAndVelocity
  Real x, v, f, g;
  Real wrong[2] = {f + sin(time)/2, g + sin(time)/2};
equation
  der(x) = v;
  der(v) = f + g;
  x = sin(time);
  v = cos(time);
end PositionAndVelocity;
