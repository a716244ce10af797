// The same with a fixed start of the velocity, which has no freedom.
// expects failure: contradicts the equations
// expects start: conflict the fixed start v = 1
// expects start: fix fixed = true of v
model PrescribedVelocityWithFixedStart
  Real x(start = 1, fixed = true), v(start = 1, fixed = true), f;
equation
  der(x) = v;
  der(v) = f;
  v = sin(time);
end PrescribedVelocityWithFixedStart;
