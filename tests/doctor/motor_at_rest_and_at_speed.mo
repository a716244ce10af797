// A motor is to start in its steady state, and at a speed that it does not have there.
// expects failure: the fixed start w = 100, initial equation line 12: der(i) = 0 and initial equation line 12 (2): der(w) = 0 cannot hold together
// expects start: fix fixed = true of w
// expects start: fix phi(start = 0, fixed = true)
// expects start: fix w(start = 200)
// expects start: fix holds
model MotorAtRestAndAtSpeed
  Real i;
  Real w(start = 100, fixed = true);
  Real phi(start = 0);
initial equation
  der(i) = 0; der(w) = 0;
equation
  24 = 2*i + 1e-3*der(i) + 0.1*w;
  1e-4*der(w) = 0.1*i - 1e-3*w;
  der(phi) = w;
end MotorAtRestAndAtSpeed;
