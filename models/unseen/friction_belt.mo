// Two masses on springs, dragged by a belt: friction falls with the sliding speed (Stribeck) and is smoothed at the
// reversal of the direction, F tanh(v/v0): stick and slip, stiff while it sticks.
//
// Index 1, four states.
model FrictionBelt "Stick and slip of two masses on a belt"
  parameter Real m1 = 1, m2 = 1.5, k1 = 20, k2 = 30, kc = 15, c = 0.1, vb = 0.5, v0 = 0.02, Fs = 4, Fc = 2.5, vs = 0.3;
  Real x1(start = 0, fixed = true), x2(start = 0.1, fixed = true);
  Real v1(start = 0.5, fixed = true), v2(start = 0, fixed = true), s1, s2, F1, F2;
equation
  s1 = vb - v1;
  s2 = vb - v2;
  F1 = (Fc + (Fs - Fc)*exp(-(s1/vs)^2))*tanh(s1/v0);
  F2 = (Fc + (Fs - Fc)*exp(-(s2/vs)^2))*tanh(s2/v0);
  der(x1) = v1;
  der(x2) = v2;
  m1*der(v1) = -k1*x1 - kc*(x1 - x2) - c*v1 + F1;
  m2*der(v2) = -k2*x2 - kc*(x2 - x1) - c*v2 + F2;
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end FrictionBelt;
