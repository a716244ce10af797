// Greinacher's voltage doubler: a capacitor in series with the source, one diode to ground, one to the output.
//
// Index 1, two states (the voltages of the capacitors). The node a between the diodes has no capacitance.
model VoltageDoubler "Two diodes, two capacitors"
  parameter Real U = 10, f = 1000, Rs = 10, R = 1e4, C1 = 1e-6, C2 = 2.2e-6, Is = 1e-12, vt = 0.02585;
  constant Real pi = 3.14159265358979323846;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), a, i, i1, i2;
equation
  U*sin(2*pi*f*time) = Rs*i + v1 + a;
  i1 = Is*(exp(-a/vt) - 1);
  i2 = Is*(exp((a - v2)/vt) - 1);
  i + i1 = i2;
  C1*der(v1) = i;
  C2*der(v2) = i2 - v2/R;
  annotation(experiment(StopTime = 3e-3, Tolerance = 1e-6));
end VoltageDoubler;
