// A pendulum in a plane, described in space: its third constraint is the sum of the others.
// expects: index 3, 2 degrees of freedom
// expects: not unique, and taken as small as possible: lambda, mu, nu
model PlanarLoopInSpace
  Real r[3](start = {1, 0, 0}), v[3](start = {0, 0, 0}), lambda, mu, nu;
  Real wrong[4] = {r[3], r[1]^2 + r[2]^2 - 1, (v*v)/2/9.81 + r[2], lambda + mu - nu};
equation
  der(r) = v;
  der(v[1]) = -(lambda + nu)*r[1];
  der(v[2]) = -(lambda + nu)*r[2] - 9.81;
  der(v[3]) = -(lambda + nu)*r[3] - mu - nu;
  r*r = 1;
  r[3] = 0;
  r*r + r[3] = 1;
end PlanarLoopInSpace;
