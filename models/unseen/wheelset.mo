// A railway wheelset on straight track: creep forces between wheel and rail couple the lateral position y and the yaw
// angle psi, and the flanges push back exponentially. It hunts, in a limit cycle. Creep makes it stiff at low speed.
//
// Index 1, four states. Linear creep after J. J. Kalker; model as in A. H. Wickens, Fundamentals of Rail Vehicle
// Dynamics, Swets and Zeitlinger 2003; units t, kN, m, s, our own values.
model Wheelset "Hunting of a wheelset"
  parameter Real m = 1.2, I = 0.76, f11 = 9430, f22 = 10250, a = 0.75, lambda = 0.05, r0 = 0.45, V = 20, ky = 50,
    kp = 30;
  parameter Real kf = 10, gap = 0.007, sf = 0.0008;
  Real y(start = 0.004, fixed = true, nominal = 0.01), vy(start = 0, fixed = true, nominal = 0.1);
  Real psi(start = 0, fixed = true, nominal = 0.01), wp(start = 0, fixed = true, nominal = 0.1);
  Real xi1(nominal = 0.001), xi2(nominal = 0.001), F;
equation
  xi1 = lambda*y/r0 + a*wp/V "longitudinal creepage";
  xi2 = vy/V - psi "lateral creepage";
  F = kf*(exp((y - gap)/sf) - exp(-(y + gap)/sf));
  der(y) = vy;
  der(psi) = wp;
  m*der(vy) = -2*f22*xi2 - ky*y - F;
  I*der(wp) = -2*f11*a*xi1 - kp*psi;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Wheelset;
