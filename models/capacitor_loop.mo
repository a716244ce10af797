// Two capacitors and an ideal voltage source in one loop; a resistor lies across the second capacitor. The source
// dictates the sum of the capacitor voltages, so the two are not independent states, and the loop current contains the
// derivative of the source voltage.
//
// Index 2, one state (v2 is given). Closed form: (C1 + C2) v2' = C1 u' - v2/R.
//
// Source: classical; loops of capacitors and voltage sources make a circuit index 2, see R. Marz and C. Tischendorf,
// SIAM J. Sci. Comput. 18 (1997) 139-159.
model CapacitorLoop "A loop of two capacitors and a voltage source"
  constant Real pi = 3.14159265358979323846;
  parameter Real C1(unit = "F") = 1e-6, C2(unit = "F") = 3e-6 "capacitances";
  parameter Real R(unit = "Ohm") = 1000 "resistor across C2";
  parameter Real U(unit = "V") = 10, f(unit = "Hz") = 100 "amplitude and frequency of the source";
  Real u(unit = "V") "source voltage";
  Real v1(unit = "V", start = 0), v2(unit = "V", start = 0, fixed = true) "capacitor voltages";
  Real i1(unit = "A"), i2(unit = "A"), iR(unit = "A") "currents through C1, C2 and R";
equation
  u = U*sin(2*pi*f*time);
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  R*iR = v2;
  i1 = i2 + iR;
  v1 + v2 = u;
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-6));
end CapacitorLoop;
