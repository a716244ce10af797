// Five diodes in series charge a capacitor. Nothing but the diodes determines the potentials between them: five
// exponentials in a row, and no capacitance. The diodes differ (area factors), and each has the leakage of 1 pS that
// circuit simulators give to a junction (Nagel 1975): without it the potentials of a chain that blocks would hang on the
// digits behind exp(-100).
//
// Index 1, one state (v).
model DiodeChain "Diodes in series, without capacitance between them"
  parameter Integer N = 5;
  parameter Real U = 10, f = 1000, Rs = 50, R = 1e4, C = 1e-6, Is = 1e-14, vt = 0.02585, gmin = 1e-12;
  parameter Real area[N] = {1, 2, 0.5, 1.5, 0.8};
  constant Real pi = 3.14159265358979323846;
  Real u[N + 1], v(start = 0, fixed = true), i;
equation
  U*sin(2*pi*f*time) = Rs*i + u[1];
  for k in 1:N loop
    i = area[k]*Is*(exp((u[k] - u[k + 1])/vt) - 1) + gmin*(u[k] - u[k + 1]);
  end for;
  u[N + 1] = v;
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 2e-3, Tolerance = 1e-6));
end DiodeChain;
