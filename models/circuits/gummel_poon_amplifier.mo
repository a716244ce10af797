// Common emitter stage with a transistor after Gummel and Poon (1970), with the equations and names of parameters of
// SPICE (Nagel 1975; Antognetti, Massobrio 1988): Early effect forward and reverse (vaf, var), high injection (ikf, ikr),
// leakage of both junctions (ise, ne, isc, nc), resistance of the base (rb), charges of both junctions: diffusion (tf, tr)
// and depletion (cje, cjc), whose capacitance goes on linearly beyond fc vj.
//
// Index 1, five states (three capacitors, two junctions). The stage starts at rest; the signal of 1 MHz overdrives it.
model GummelPoonAmplifier "One transistor with all its charges"
  parameter Real Vcc = 12, U = 0.3, f = 1e6, Rg = 50, R1 = 22e3, R2 = 4.7e3, Rc = 1000, Re = 220, RL = 1e4;
  parameter Real C1 = 1e-8, C2 = 1e-9, Ce = 1e-7;
  parameter Real is = 1e-14, bf = 200, br = 3, nf = 1, nr = 1, vaf = 75, var = 24, ikf = 0.3, ikr = 0.1, ise = 1e-14,
    ne = 1.5, isc = 1e-13, nc = 2, rb = 50, tf = 4e-10, tr = 5e-8, cje = 2.5e-11, vje = 0.75, mje = 0.33, cjc = 8e-12,
    vjc = 0.75, mjc = 0.33, fc = 0.5, vt = 0.02585;
  constant Real pi = 3.14159265358979323846;
  Real v1, v2, ve, vb, vi, vc;
  Real vbe, vbc, cf, cr, q1, q2, qb, ic, ibe, ibc, i1, i2, ibb;
  Real qbe(nominal = 1e-11), qbc(nominal = 1e-11);
  function depletion "charge of a junction"
    input Real v, c, vj, m, fc;
    output Real q;
  algorithm
    q := if v < fc*vj then c*vj/(1 - m)*(1 - (1 - v/vj)^(1 - m)) else
      c*vj/(1 - m)*(1 - (1 - fc)^(1 - m)) + c/(1 - fc)^(1 + m)*((1 - fc*(1 + m))*(v - fc*vj) + m/(2*vj)*(v^2 - (fc*vj)^2));
  end depletion;
initial equation
  der(v1) = 0;
  der(v2) = 0;
  der(ve) = 0;
  der(qbe) = 0;
  der(qbc) = 0;
equation
  vbe = vi - ve;
  vbc = vi - vc;
  cf = is*(exp(vbe/(nf*vt)) - 1);
  cr = is*(exp(vbc/(nr*vt)) - 1);
  q1 = 1/(1 - vbc/vaf - vbe/var);
  q2 = cf/ikf + cr/ikr;
  qb = q1/2*(1 + sqrt(1 + 4*q2));
  ibe = cf/bf + ise*(exp(vbe/(ne*vt)) - 1);
  ibc = cr/br + isc*(exp(vbc/(nc*vt)) - 1);
  ic = (cf - cr)/qb;
  qbe = tf*cf/qb + depletion(vbe, cje, vje, mje, fc);
  qbc = tr*cr + depletion(vbc, cjc, vjc, mjc, fc);
  ibb = (vb - vi)/rb;
  ibb = ibe + ibc + der(qbe) + der(qbc);
  U*sin(2*pi*f*time) = Rg*i1 + v1 + vb;
  i1 + (Vcc - vb)/R1 = vb/R2 + ibb;
  (Vcc - vc)/Rc = ic - ibc - der(qbc) + i2;
  vc = v2 + RL*i2;
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  Ce*der(ve) = ic + ibe + der(qbe) - ve/Re;
  annotation(experiment(StopTime = 3e-6, Tolerance = 1e-6));
end GummelPoonAmplifier;
