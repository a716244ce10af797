// A slider-crank whose rod is elastic along its axis: its length is l + q with a stiff damped spring. Crank angle a,
// rod angle b, slider s; the masses are the crank (J), the slider (M) and a mass m in the middle of the rod.
//
// Index 3, four states. After the idea of B. Simeon, Modelling a flexible slider crank mechanism by a mixed system of
// DAEs and PDEs, Math. Modelling of Systems 2 (1996) 1-18, with one mode and our own numbers.
model FlexibleSliderCrank "Slider-crank with an elastic rod"
  parameter Real J = 0.05, M = 1, m = 0.5, r = 0.3, l = 1, k = 5000, c = 5, T0 = 2;
  Real a(start = 0.3, fixed = true), wa(start = 5, fixed = true), q(start = 0, fixed = true), wq(start = 0,
    fixed = true);
  Real x, y, b(start = -0.1), s(start = 1.2), Fx, Fy, N, f;
equation
  der(a) = wa;
  der(q) = wq;
  x = r*cos(a) + (l + q)/2*cos(b);
  y = r*sin(a) + (l + q)/2*sin(b);
  r*cos(a) + (l + q)*cos(b) = s;
  r*sin(a) + (l + q)*sin(b) = 0;
  J*der(wa) = T0 - r*sin(a)*(Fx - f) + r*cos(a)*(Fy - N);
  m*der(der(x)) = -Fx;
  m*der(der(y)) = -Fy;
  M*der(der(s)) = f;
  (Fx/2 - f)*sin(b) = (Fy/2 - N)*cos(b) "no moment about the crank pin";
  k*q + c*wq = (Fx/2 - f)*cos(b) + (Fy/2 - N)*sin(b) "force along the rod";
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end FlexibleSliderCrank;
