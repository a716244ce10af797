// Half-wave rectifier with an LC filter: source, series resistance, one diode, capacitor, choke, capacitor and load.
//
// Index 1, three states (v1, v2, iL). The current of the diode is i = Vt/Rs W(Is Rs/Vt exp((u - v1 + Is Rs)/Vt)) - Is
// with Lambert's function W.
model RectifierFilter "One diode, then a filter of two capacitors and a choke"
  parameter Real Rs = 5, R = 150, C1 = 2.2e-4, C2 = 1e-4, L = 0.05, Is = 2e-8, Vt = 0.026, U = 10, f = 60;
  constant Real pi = 3.14159265358979323846;
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), iL(start = 0, fixed = true, nominal = 0.01);
  Real u, ud, i(nominal = 0.01);
equation
  u = U*sin(2*pi*f*time);
  u = Rs*i + ud + v1;
  i = Is*(exp(ud/Vt) - 1);
  C1*der(v1) = i - iL;
  L*der(iL) = v1 - v2;
  C2*der(v2) = iL - v2/R;
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-6));
end RectifierFilter;
