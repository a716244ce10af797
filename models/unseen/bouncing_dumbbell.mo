// A rigid dumbbell falls onto a floor whose force is a penalty, F = k s log(1 + exp(-y/s)) with a damping that acts
// in contact only: soft in the air, stiff on the ground. The rod is a constraint between the two masses.
//
// Index 3, six states.
model BouncingDumbbell "Two masses, a rod, a floor by penalty"
  parameter Real m1 = 1, m2 = 2, L = 1, g = 9.81, k = 2000, d = 10, s = 0.02, mu = 0.2;
  Real x1(start = 0, fixed = true), y1(start = 1, fixed = true), x2(start = 0.8), y2(start = 1.6, fixed = true);
  Real u1(start = 0.5, fixed = true), w1(start = 0, fixed = true), u2, w2(start = 0.3, fixed = true);
  Real F1, F2, lambda(start = 0);
equation
  der(x1) = u1;
  der(y1) = w1;
  der(x2) = u2;
  der(y2) = w2;
  F1 = k*s*log(1 + exp(-y1/s)) - d*w1/(1 + exp(y1/s));
  F2 = k*s*log(1 + exp(-y2/s)) - d*w2/(1 + exp(y2/s));
  m1*der(u1) = lambda*(x1 - x2) - mu*F1*tanh(u1/0.1);
  m1*der(w1) = lambda*(y1 - y2) - m1*g + F1;
  m2*der(u2) = lambda*(x2 - x1) - mu*F2*tanh(u2/0.1);
  m2*der(w2) = lambda*(y2 - y1) - m2*g + F2;
  (x1 - x2)^2 + (y1 - y2)^2 = L^2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end BouncingDumbbell;
