// A batch reactor with a cooling jacket: A + B = C is so fast that it is in equilibrium, C -> D is slow and heats.
// Totals are balanced; the equilibrium K(T) = c_C/(c_A c_B) distributes them.
//
// Index 1, four states (nA, nB, D, T); the equilibrium constant and the rate depend on T by exponentials. Own
// numbers.
model BatchReactor "Fast equilibrium, slow reaction, heat"
  parameter Real k0 = 2e6, E = 6000, K0 = 5e-6, H = 4500, a = 60, U = 0.02, Tc = 300;
  Real nA(start = 1, fixed = true) "A and C", nB(start = 1.2, fixed = true) "B and C";
  Real D(start = 0, fixed = true), T(start = 310, fixed = true, nominal = 300);
  Real cA(start = 0.5), cB(start = 0.7), cC(start = 0.5), K(start = 10), r;
equation
  nA = cA + cC;
  nB = cB + cC;
  K = K0*exp(H/T);
  cC = K*cA*cB;
  r = k0*exp(-E/T)*cC;
  der(nA) = -r;
  der(nB) = -r;
  der(D) = r;
  der(T) = a*r - U*(T - Tc);
  annotation(experiment(StopTime = 200, Tolerance = 1e-6));
end BatchReactor;
