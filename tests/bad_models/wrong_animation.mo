// Shapes of an animation that cannot be drawn.
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(animation(points(mass = x, other = {x, 0}), lines(rod = {{0, 0, 0}, {x, 0, 0}}, short = {x, 0}),
                                   squares(s = {x, v}))));
end M;
