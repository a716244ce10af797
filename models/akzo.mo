// Chemical Akzo Nobel: two species react in a stirred vessel while carbon dioxide is blown in.
// FLB (y1), CO2 (y2), FLBT (y3), ZHU (y4) and ZLA (y5) follow rate laws; the complex FLB.ZHU (y6) is in equilibrium
// with its parts, which is the one algebraic balance. Time in minutes, concentrations in mol per litre.
//
// Index 1, five states, stiff. The square roots forbid y2 < 0; y2 falls tenfold within the first minute.
//
// Source: Test Set for IVP Solvers, release 2.4 (Mazzia and Magherini 2008), problem "Chemical Akzo Nobel".
model ChemAkzo "Chemical Akzo Nobel problem"
  parameter Real k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42;
  parameter Real K = 34.4, klA = 3.3, Ks = 115.83, pCO2 = 0.9, H = 737;
  Real y1(start = 0.444, fixed = true);
  Real y2(start = 0.00123, fixed = true);
  Real y3(start = 0, fixed = true);
  Real y4(start = 0.007, fixed = true);
  Real y5(start = 0, fixed = true);
  Real y6(start = 0.36);
  Real r1, r2, r3, r4, r5, Fin;
equation
  r1 = k1*y1^4*sqrt(y2);
  r2 = k2*y3*y4;
  r3 = k2/K*y1*y5;
  r4 = k3*y1*y4^2;
  r5 = k4*y6^2*sqrt(y2);
  Fin = klA*(pCO2/H - y2);
  der(y1) = -2*r1 + r2 - r3 - r4;
  der(y2) = -0.5*r1 - r4 - 0.5*r5 + Fin;
  der(y3) = r1 - r2 + r3;
  der(y4) = -r2 + r3 - 2*r4;
  der(y5) = r2 - r3 + r5;
  Ks*y1*y4 - y6 = 0;
  annotation(experiment(StopTime = 180, Tolerance = 1e-8));
end ChemAkzo;
