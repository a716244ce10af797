// A skate moves along its blade only: a constraint on velocities, with fewer hidden levels.
// expects: index 2, 5 degrees of freedom
model SkateOnASlope
  Real x(start = 0), y(start = 0), a(start = 0.5), vx(start = 0), vy(start = 0), w(start = 1), l;
  Real wrong[2] = {vx*sin(a) - vy*cos(a), (vx^2 + vy^2)/2 - x};
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 1 + l*sin(a);
  der(vy) = -l*cos(a);
  der(a) = w;
  der(w) = 0;
  vx*sin(a) = vy*cos(a);
end SkateOnASlope;
