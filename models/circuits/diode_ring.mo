// Ring mixer: four diodes in a ring, a -> c -> b -> d -> a, between two ideal transformers with centre taps, no
// capacitance but that of the load. The signal drives the first transformer (vr over each half), the carrier its centre
// tap (potential m); the centre tap of the second is grounded (c = w, d = -w).
//
// Index 1, one state (w).
model DiodeRing "Four diodes in a ring, ideal transformers"
  parameter Real Us = 0.3, fs = 1e4, Uc = 2, fc = 1e5, Rs = 50, Rc = 50, R = 50, C = 2e-8, Is = 1e-9, vt = 0.02585;
  constant Real pi = 3.14159265358979323846;
  Real w(start = 0, fixed = true), vr, m, a, b, c, d, i1, i2, i3, i4, js, jc;
equation
  a = m + vr;
  b = m - vr;
  c = w;
  d = -w;
  i1 = Is*(exp((a - c)/vt) - 1);
  i2 = Is*(exp((c - b)/vt) - 1);
  i3 = Is*(exp((b - d)/vt) - 1);
  i4 = Is*(exp((d - a)/vt) - 1);
  js = (i1 - i4) - (i3 - i2);
  jc = (i1 - i4) + (i3 - i2);
  Us*sin(2*pi*fs*time) = Rs*js + vr;
  Uc*sin(2*pi*fc*time) = Rc*jc + m;
  C*der(w) = (i1 - i2) - (i3 - i4) - w/R;
  annotation(experiment(StopTime = 1e-4, Tolerance = 1e-6));
end DiodeRing;
