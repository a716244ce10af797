// A ring modulator's diodes without stray capacities: the currents into the ring add up to zero, a constraint that is hidden in
// four equations for the voltages. The fixed starts are consistent.
// expects: index 2, 4 degrees of freedom
model Ring
  parameter Real R = 25000, L = 5e-4, g = 17.3, ga = 4e-8, de = 17.7493332, C = 1e-8;
  Real u(start = 0, fixed = true), i1(start = 0, fixed = true), i2(start = 0, fixed = true), i3(start = 0, fixed = true),
    i4(start = 0, fixed = true);
  Real a, b, c, d;
  Real wrong = i1 + i2 + i3 + i4;
equation
  C*der(u) = -u/R + i1;
  L*der(i1) = u - a - g*i1;
  L*der(i2) = -b - g*i2;
  L*der(i3) = -c - g*i3;
  L*der(i4) = -d - g*i4;
  i1 = ga*(exp(de*(a - b)) - 1) - ga*(exp(de*(d - a)) - 1);
  i2 = ga*(exp(de*(b - c)) - 1) - ga*(exp(de*(a - b)) - 1);
  i3 = ga*(exp(de*(c - d)) - 1) - ga*(exp(de*(b - c)) - 1);
  i4 = ga*(exp(de*(d - a)) - 1) - ga*(exp(de*(c - d)) - 1);
end Ring;
