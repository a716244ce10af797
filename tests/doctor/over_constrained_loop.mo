// A mass on a rod and on two guides: three constraints for two coordinates.
// expects error: 3 equations determine only 2 unknowns: x and y
// expects error: are there more constraints than coordinates, as in an over-constrained loop?
model OverConstrainedLoop
  Real x(start = 0.6), y(start = -0.8), rod, guide, other;
equation
  der(der(x)) = -x*rod + guide + other;
  der(der(y)) = -y*rod - 9.81 + other;
  x^2 + y^2 = 1;
  x - y = 1.4;
  x + y = 0;
end OverConstrainedLoop;
