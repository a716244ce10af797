// A mass on two ropes over pulleys whose lengths are tied: one motion.
// expects: index 3, 2 degrees of freedom
model PulleyWithTwoRopes
  Real x(start = 0, fixed = true), y, z, v(start = 0, fixed = true), s1, s2;
  Real wrong[2] = {x, y + x};
equation
  der(x) = v;
  3*der(v) = 3*9.81 - s1 - s2;
  der(der(y)) = 9.81 - s1;
  2*der(der(z)) = 2*9.81 - s2;
  x + y = 0;
  x + z = 0;
end PulleyWithTwoRopes;
