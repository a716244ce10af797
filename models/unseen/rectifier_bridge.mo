// Full-wave rectifier: four diodes, a source with inner resistance, a smoothing capacitor and a load. Nodes a and b
// are those of the source, p and n those of the load; n is at 0 V.
//
// Index 1, one state (v). Diodes by Shockley's law with a leakage, i = Is (exp(u/Vt) - 1) + gp u:
// without it the potentials of a bridge that blocks would hang on exp(-250).
model RectifierBridge "Four diodes and a smoothing capacitor"
  parameter Real Rs = 2, R = 200, C = 4.7e-4, Is = 1e-9, Vt = 0.0259, gp = 1e-8, U = 15, f = 50;
  constant Real pi = 3.14159265358979323846;
  Real v(start = 0, fixed = true), va, vb;
  Real i, i1, i2, i3, i4;
equation
  U*sin(2*pi*f*time) = Rs*i + va - vb;
  i1 = Is*(exp((va - v)/Vt) - 1) + gp*(va - v);
  i2 = Is*(exp((vb - v)/Vt) - 1) + gp*(vb - v);
  i3 = Is*(exp(-va/Vt) - 1) - gp*va;
  i4 = Is*(exp(-vb/Vt) - 1) - gp*vb;
  i + i3 = i1;
  i4 = i2 + i;
  C*der(v) = i1 + i2 - v/R;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-6));
end RectifierBridge;
