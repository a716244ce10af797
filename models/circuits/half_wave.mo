// Half-wave rectifier: a source with inner resistance, one diode by Shockley's law, a smoothing capacitor and a load.
//
// Index 1, one state (v). While the diode blocks its exponential is some exp(-900), at the first peak a correction of
// Newton's iteration may ask for exp(480).
model HalfWave "One diode and a smoothing capacitor"
  parameter Real U = 12, f = 50, Rs = 1, R = 100, C = 1e-3, Is = 1e-9, vt = 0.025;
  constant Real pi = 3.14159265358979323846;
  Real vs, v(start = 0, fixed = true), ud, i;
equation
  vs = U*sin(2*pi*f*time);
  vs = Rs*i + ud + v;
  i = Is*(exp(ud/vt) - 1);
  C*der(v) = i - v/R;
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-6));
end HalfWave;
