// A small mechanism of photochemical smog: NO, NO2, ozone, atomic oxygen, a hydrocarbon and its radical, under a sun
// that rises and sets. Oxygen atoms live for microseconds; their balance is taken in the steady state, an algebraic
// equation.
//
// Index 1, five states. The cycle NO2 -> NO + O, O + O2 -> O3, NO + O3 -> NO2 after P. A. Leighton, Photochemistry of
// Air Pollution, Academic Press 1961; the other rates and all numbers are our own. Units: ppm, minutes.
model Smog "Photochemical smog in one box"
  parameter Real k2 = 26.6, k3 = 1.2e4, k4 = 30, k5 = 20, k6 = 3e2, M = 2e1;
  constant Real pi = 3.14159265358979323846;
  Real NO(start = 0.2, fixed = true), NO2(start = 0.02, fixed = true), O3(start = 0, fixed = true, nominal = 0.1);
  Real HC(start = 0.5, fixed = true), RO2(start = 0, fixed = true, nominal = 1e-3), O(nominal = 1e-6), J;
equation
  J = 0.5*(1 - cos(2*pi*time/120))*0.7;
  J*NO2 = k3*M*O + k4*O*HC;
  der(O3) = k3*M*O - k2*NO*O3;
  der(NO) = J*NO2 - k2*NO*O3 - k5*NO*RO2;
  der(NO2) = -J*NO2 + k2*NO*O3 + k5*NO*RO2;
  der(HC) = -k4*O*HC - 0.05*J*HC;
  der(RO2) = 2*k4*O*HC + 0.05*J*HC - k5*NO*RO2 - k6*RO2^2;
  annotation(experiment(StopTime = 120, Tolerance = 1e-6));
end Smog;
