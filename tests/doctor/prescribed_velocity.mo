// A velocity is prescribed, the position follows from its start, the force from the rate.
// expects: index 2, 1 degree of freedom
model PrescribedVelocity
  Real x(start = 1, fixed = true), v, f;
  Real wrong[2] = {x - 1 - (1 - cos(time)), f - cos(time)};
equation
  der(x) = v;
  der(v) = f;
  v = sin(time);
end PrescribedVelocity;
