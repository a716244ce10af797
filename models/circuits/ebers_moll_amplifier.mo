// Common emitter stage with a transistor after Ebers and Moll (1954), in the transport form that circuit simulators use
// (Nagel 1975). The capacitors are empty when the supply is switched on; the signal overdrives the stage.
//
// Index 1, three states (the voltages of the capacitors).
model EbersMollAmplifier "One transistor, three capacitors"
  parameter Real Vcc = 12, U = 0.5, f = 1000, Rg = 600, R1 = 22e3, R2 = 4.7e3, Rc = 1000, Re = 220, RL = 1e4;
  parameter Real C1 = 1e-6, C2 = 1e-6, Ce = 4.7e-5, Is = 1e-14, bF = 100, bR = 1, vt = 0.02585;
  constant Real pi = 3.14159265358979323846;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), ve(start = 0, fixed = true);
  Real vb, vc, ic, ib, ef, er, i1, i2;
equation
  ef = Is*(exp((vb - ve)/vt) - 1);
  er = Is*(exp((vb - vc)/vt) - 1);
  ic = ef - er - er/bR;
  ib = ef/bF + er/bR;
  U*sin(2*pi*f*time) = Rg*i1 + v1 + vb;
  i1 + (Vcc - vb)/R1 = vb/R2 + ib;
  (Vcc - vc)/Rc = ic + i2;
  vc = v2 + RL*i2;
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  Ce*der(ve) = ic + ib - ve/Re;
  annotation(experiment(StopTime = 5e-3, Tolerance = 1e-6));
end EbersMollAmplifier;
