// Gate of emitter-coupled logic: a differential pair against a fixed potential, two emitter followers. The input goes up
// and down again. Transistors after Ebers and Moll (1954), transport form.
//
// Index 1, four states (capacitances at the collectors of the pair and at the outputs).
model EclGate "OR/NOR gate with four transistors"
  parameter Real Vee = -5.2, Vbb = -1.29, R1 = 220, R2 = 245, Re = 779, Rp = 2000, Cc = 1e-12, Cl = 5e-12;
  parameter Real Is = 1e-16, bF = 100, bR = 1, vt = 0.02585;
  Real u, e, c1, c2, vn, vo, ic[4], ib[4], ie[4];
  function transistor
    input Real vbe, vbc, Is, bF, bR, vt;
    output Real ic, ib;
  protected
    Real f, r;
  algorithm
    f := Is*(exp(vbe/vt) - 1);
    r := Is*(exp(vbc/vt) - 1);
    ic := f - r - r/bR;
    ib := f/bF + r/bR;
  end transistor;
equation
  u = -1.75 + 0.85*(1/(1 + exp(-(time - 5e-9)/3e-10)) - 1/(1 + exp(-(time - 1.2e-8)/3e-10)));
  (ic[1], ib[1]) = transistor(u - e, u - c1, Is, bF, bR, vt);
  (ic[2], ib[2]) = transistor(Vbb - e, Vbb - c2, Is, bF, bR, vt);
  (ic[3], ib[3]) = transistor(c1 - vn, c1, Is, bF, bR, vt);
  (ic[4], ib[4]) = transistor(c2 - vo, c2, Is, bF, bR, vt);
  ie = ic + ib;
  ie[1] + ie[2] = (e - Vee)/Re;
  Cc*der(c1) = -c1/R1 - ic[1] - ib[3];
  Cc*der(c2) = -c2/R2 - ic[2] - ib[4];
  Cl*der(vn) = ie[3] - (vn - Vee)/Rp;
  Cl*der(vo) = ie[4] - (vo - Vee)/Rp;
  annotation(experiment(StopTime = 2e-8, Tolerance = 1e-6));
end EclGate;
