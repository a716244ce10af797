// Colpitts oscillator with a transistor: the currents of base and collector are exponential in the voltage vbe, and
// the transistor conducts in pulses.
//
// Index 1, three states. Source: M. P. Kennedy, Chaos in the Colpitts oscillator, IEEE Trans. Circuits Syst. I 41
// (1994) 771-774, with the components given there. Units: us, V, mA, nF, mH, kOhm.
model Colpitts "Oscillator with one transistor"
  parameter Real Vcc = 5, Vee = -5, L = 0.0985, C1 = 54, C2 = 54, RL = 0.035, REE = 0.4, bF = 200, Is = 1e-11,
    Vt = 0.026;
  Real vce(start = 5, fixed = true), vbe(start = 0.6, fixed = true), iL(start = 5, fixed = true), ib, ic;
equation
  ic = Is*(exp(vbe/Vt) - 1);
  ib = ic/bF;
  C1*der(vce) = iL - ic;
  C2*der(vbe) = -(Vee + vbe)/REE - iL - ib;
  L*der(iL) = Vcc - vce + vbe - RL*iL;
  annotation(experiment(StopTime = 60, Tolerance = 1e-6));
end Colpitts;
