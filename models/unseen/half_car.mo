// Half a car: body with bounce and pitch, two axles on stiff tyres, dampers with a progressive law, over a bump that
// reaches the rear wheel later.
//
// Index 1, eight states. Data of a middle class car, our own; units kN, t, m, s.
model HalfCar "Bounce, pitch and two axles"
  parameter Real M = 0.7, J = 1.1, m1 = 0.04, m2 = 0.035, a = 1.2, b = 1.4, k1 = 20, k2 = 22, kt = 200, d = 1.5,
    v = 15, h = 0.05;
  Real z(start = 0, fixed = true), p(start = 0, fixed = true), z1(start = 0, fixed = true), z2(start = 0, fixed = true);
  Real w(start = 0, fixed = true), wp(start = 0, fixed = true), w1(start = 0, fixed = true), w2(start = 0,
    fixed = true);
  Real F1, F2, T1, T2, r1, r2, s1, s2;
equation
  r1 = h*exp(-((time - 0.3)*v/0.6)^2);
  r2 = h*exp(-((time - 0.3 - (a + b)/v)*v/0.6)^2);
  s1 = w - a*wp*cos(p) - w1;
  s2 = w + b*wp*cos(p) - w2;
  F1 = k1*(z - a*sin(p) - z1) + d*s1*(1 + 0.3*tanh(3*s1));
  F2 = k2*(z + b*sin(p) - z2) + d*s2*(1 + 0.3*tanh(3*s2));
  T1 = kt*(z1 - r1);
  T2 = kt*(z2 - r2);
  der(z) = w;
  der(p) = wp;
  der(z1) = w1;
  der(z2) = w2;
  M*der(w) = -F1 - F2;
  J*der(wp) = (a*F1 - b*F2)*cos(p);
  m1*der(w1) = F1 - T1;
  m2*der(w2) = F2 - T2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end HalfCar;
