// A chain of resistor-transistor logic inverters: each stage is an npn transistor (Ebers and Moll 1954, transport
// form) with a resistor at its base, one at its collector and a capacitor at its output. A pulse runs along the
// chain.
//
// Index 1, N states (v). The potentials vb of the bases follow from Kirchhoff's law there, with exponentials.
model InverterChain "Four inverters of one transistor each"
  parameter Integer N = 4;
  parameter Real Vcc = 5, Rb = 1e4, Rc = 1e3, C = 1e-10, Is = 1e-14, Vt = 0.0259, bF = 100, bR = 1;
  Real v[N](start = {5, 0.05, 5, 0.05}, each fixed = true), vb[N](start = {0, 0.7, 0.05, 0.7});
  Real ef[N], er[N], u;
equation
  u = 5/(1 + exp(-(time - 1e-6)/5e-8)) - 5/(1 + exp(-(time - 3e-6)/5e-8));
  for i in 1:N loop
    ef[i] = exp(vb[i]/Vt) - 1;
    er[i] = exp((vb[i] - v[i])/Vt) - 1;
    ((if i == 1 then u else v[max(i - 1, 1)]) - vb[i])/Rb = Is*(ef[i]/bF + er[i]/bR);
    C*der(v[i]) = (Vcc - v[i])/Rc - Is*(ef[i] - er[i]*(1 + 1/bR))
      - (if i < N then (v[i] - vb[min(i + 1, N)])/Rb else 0);
  end for;
  annotation(experiment(StopTime = 5e-6, Tolerance = 1e-6));
end InverterChain;
