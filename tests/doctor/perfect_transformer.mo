// Inductors with perfect coupling, M^2 = L1 L2: singular for these values of the parameters only.
// expects: index 1, 1 degree of freedom
model PerfectTransformer
  parameter Real L1 = 1, L2 = 4, M = 2;
  Real i1, i2, flux(start = 1, fixed = true) = i1 + 2*i2;
  Real wrong[2] = {flux - exp(-time/5), i1 - exp(-time/5)/5};
equation
  L1*der(i1) + M*der(i2) = -i1;
  M*der(i1) + L2*der(i2) = -i2;
end PerfectTransformer;
