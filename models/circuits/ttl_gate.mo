// NAND gate of transistor-transistor logic (the 7400): an input transistor with two emitters (here two transistors with
// common base and collector), a phase splitter, an output stage of two transistors and a diode. Both inputs go up, one of
// them comes down again. Transistors after Ebers and Moll (1954), transport form.
//
// Index 1, one state (out): the load is the only capacitance, six potentials follow from twelve exponentials.
model TtlGate "NAND gate with four transistors"
  parameter Real Vcc = 5, R1 = 4000, R2 = 1600, R3 = 1000, R4 = 130, RL = 4000, CL = 1.5e-11;
  parameter Real Is = 1e-15, bF = 50, bR = 0.1, vt = 0.02585;
  Real ua, ub, b1, b2, c2, b4, c3, e3, out(start = 3.5, fixed = true), id, ic[5], ib[5];
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
  ua = 0.2 + 3.3*(1/(1 + exp(-(time - 2e-8)/2e-9)) - 1/(1 + exp(-(time - 6e-8)/2e-9)));
  ub = 0.2 + 3.3/(1 + exp(-(time - 1e-8)/2e-9));
  (ic[1], ib[1]) = transistor(b1 - ua, b1 - b2, Is, bF, bR, vt);
  (ic[2], ib[2]) = transistor(b1 - ub, b1 - b2, Is, bF, bR, vt);
  (ic[3], ib[3]) = transistor(b2 - b4, b2 - c2, Is, bF, bR, vt);
  (ic[4], ib[4]) = transistor(c2 - e3, c2 - c3, Is, bF, bR, vt);
  (ic[5], ib[5]) = transistor(b4, b4 - out, Is, bF, bR, vt);
  id = Is*(exp((e3 - out)/vt) - 1);
  (Vcc - b1)/R1 = ib[1] + ib[2];
  ic[1] + ic[2] + ib[3] = 0;
  (Vcc - c2)/R2 = ic[3] + ib[4];
  ic[3] + ib[3] = b4/R3 + ib[5];
  (Vcc - c3)/R4 = ic[4];
  ic[4] + ib[4] = id;
  CL*der(out) = id - ic[5] - (out - Vcc)/RL;
  annotation(experiment(StopTime = 1e-7, Tolerance = 1e-6));
end TtlGate;
