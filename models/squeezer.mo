// Andrews' squeezing mechanism: seven rigid bodies in the plane, joined in three closed loops between fixed points,
// one motor torque and one spring. Seven angles, six loop conditions, six joint forces; the motor turns 15.8 rad in
// 30 milliseconds.
//
// Index 3, one degree of freedom (two states: Theta and its rate are given; the other angles start near their values).
// The start is a dead point: only beta and Theta can be the state there.
//
// Source: W. Schiehlen (ed.), Multibody Systems Handbook (1990); E. Hairer and G. Wanner, Solving Ordinary Differential
// Equations II, Section VII.7; C. Fuhrer and B. Leimkuhler, Numer. Math. 59 (1991) 55-69, Section 5.
model Squeezer "Andrews' squeezing mechanism (seven-body mechanism)"
  parameter Real m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706 "masses in kg";
  parameter Real m5 = 0.07050, m6 = 0.00706, m7 = 0.05498 "masses in kg";
  parameter Real I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7 "inertias in kg.m2";
  parameter Real I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5 "inertias in kg.m2";
  parameter Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072 "fixed points in m";
  parameter Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, zf = 0.02, fa = 0.01421 "lengths in m";
  parameter Real rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02 "lengths in m";
  parameter Real ta = 0.02308, tb = 0.00916, zt = 0.04, u = 0.04, ua = 0.01228, ub = 0.00449 "lengths in m";
  parameter Real c0 = 4530 "spring constant in N/m", l0 = 0.07785 "rest length of the spring in m";
  parameter Real mom = 0.033 "motor torque in N.m";
  parameter Real w = e - ea, z = zf - fa;
  Real beta(unit = "rad", start = -0.0617), Theta(unit = "rad", start = 0, fixed = true);
  Real gamma(unit = "rad", start = 0.455), Phi(unit = "rad", start = 0.223), delta(unit = "rad", start = 0.487);
  Real Omega(unit = "rad", start = -0.223), epsilon(unit = "rad", start = 1.23);
  Real lambda1(start = 98.6), lambda2(start = -6.12), lambda3, lambda4, lambda5, lambda6 "joint forces in N";
  Real X(start = 0), Y(start = 0) "end point of the spring in m", L(start = 0.07) "length of the spring in m";
  Real F "force of the spring, per length, in N/m";
initial equation
  der(Theta) = 0;
equation
  X = sd*cos(gamma) + sc*sin(gamma) + xb;
  Y = sd*sin(gamma) - sc*cos(gamma) + yb;
  L = sqrt((X - xc)^2 + (Y - yc)^2);
  F = -c0*(L - l0)/L;
  (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(Theta) + da^2) + I1 + I2)*der(der(beta))
    + (m2*(da^2 - da*rr*cos(Theta)) + I2)*der(der(Theta))
    = mom - m2*da*rr*der(Theta)*(der(Theta) + 2*der(beta))*sin(Theta)
    - (lambda1 + lambda3 + lambda5)*(d*sin(beta + Theta) - rr*sin(beta))
    - (lambda2 + lambda4 + lambda6)*(rr*cos(beta) - d*cos(beta + Theta));
  (m2*(da^2 - da*rr*cos(Theta)) + I2)*der(der(beta)) + (m2*da^2 + I2)*der(der(Theta))
    = m2*da*rr*der(beta)^2*sin(Theta)
    - (lambda1 + lambda3 + lambda5)*d*sin(beta + Theta) + (lambda2 + lambda4 + lambda6)*d*cos(beta + Theta);
  (m3*(sa^2 + sb^2) + I3)*der(der(gamma))
    = F*(X - xc)*(sc*cos(gamma) - sd*sin(gamma)) + F*(Y - yc)*(sd*cos(gamma) + sc*sin(gamma))
    + lambda1*ss*cos(gamma) + lambda2*ss*sin(gamma);
  (m4*w^2 + I4)*der(der(Phi)) + (m4*(w^2 + zt*w*sin(Phi)) + I4)*der(der(delta))
    = m4*zt*w*der(delta)^2*cos(Phi) + lambda3*e*cos(Phi + delta) + lambda4*e*sin(Phi + delta);
  (m4*(w^2 + zt*w*sin(Phi)) + I4)*der(der(Phi))
    + (m4*(zt^2 + 2*zt*w*sin(Phi) + w^2) + m5*(ta^2 + tb^2) + I4 + I5)*der(der(delta))
    = -m4*zt*w*der(Phi)*(der(Phi) + 2*der(delta))*cos(Phi)
    + lambda3*(e*cos(Phi + delta) - zt*sin(delta)) + lambda4*(e*sin(Phi + delta) + zt*cos(delta));
  (m6*z^2 + I6)*der(der(Omega)) + (m6*(z^2 - u*z*sin(Omega)) + I6)*der(der(epsilon))
    = -m6*u*z*der(epsilon)^2*cos(Omega) - lambda5*zf*sin(Omega + epsilon) + lambda6*zf*cos(Omega + epsilon);
  (m6*(z^2 - u*z*sin(Omega)) + I6)*der(der(Omega))
    + (m6*(z^2 - 2*u*z*sin(Omega) + u^2) + m7*(ua^2 + ub^2) + I6 + I7)*der(der(epsilon))
    = m6*u*z*der(Omega)*(der(Omega) + 2*der(epsilon))*cos(Omega)
    - lambda5*(zf*sin(Omega + epsilon) - u*cos(epsilon)) + lambda6*(zf*cos(Omega + epsilon) + u*sin(epsilon));
  rr*cos(beta) - d*cos(beta + Theta) - ss*sin(gamma) = xb;
  rr*sin(beta) - d*sin(beta + Theta) + ss*cos(gamma) = yb;
  rr*cos(beta) - d*cos(beta + Theta) - e*sin(Phi + delta) - zt*cos(delta) = xa;
  rr*sin(beta) - d*sin(beta + Theta) + e*cos(Phi + delta) - zt*sin(delta) = ya;
  rr*cos(beta) - d*cos(beta + Theta) - zf*cos(Omega + epsilon) - u*sin(epsilon) = xa;
  rr*sin(beta) - d*sin(beta + Theta) - zf*sin(Omega + epsilon) + u*cos(epsilon) = ya;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-6),
             __Driftless(invariants(energy =
      (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(Theta) + da^2) + I1 + I2)*der(beta)^2/2
      + (m2*(da^2 - da*rr*cos(Theta)) + I2)*der(beta)*der(Theta) + (m2*da^2 + I2)*der(Theta)^2/2
      + (m3*(sa^2 + sb^2) + I3)*der(gamma)^2/2
      + (m4*w^2 + I4)*der(Phi)^2/2 + (m4*(w^2 + zt*w*sin(Phi)) + I4)*der(Phi)*der(delta)
      + (m4*(zt^2 + 2*zt*w*sin(Phi) + w^2) + m5*(ta^2 + tb^2) + I4 + I5)*der(delta)^2/2
      + (m6*z^2 + I6)*der(Omega)^2/2 + (m6*(z^2 - u*z*sin(Omega)) + I6)*der(Omega)*der(epsilon)
      + (m6*(z^2 - 2*u*z*sin(Omega) + u^2) + m7*(ua^2 + ub^2) + I6 + I7)*der(epsilon)^2/2
      + c0*(L - l0)^2/2 - mom*beta),
    animation(
      points(O = {0, 0}, A = {xa, ya}, B = {xb, yb}, C = {xc, yc},
             P = {rr*cos(beta) - d*cos(beta + Theta), rr*sin(beta) - d*sin(beta + Theta)}),
      lines(K1 = {{0, 0}, {rr*cos(beta), rr*sin(beta)}},
            K2 = {{rr*cos(beta), rr*sin(beta)}, {xb + ss*sin(gamma), yb - ss*cos(gamma)}},
            K3 = {{xb, yb}, {xb + ss*sin(gamma), yb - ss*cos(gamma)}, {X, Y}, {xb, yb}},
            K4 = {{xa + zt*cos(delta), ya + zt*sin(delta)}, {xb + ss*sin(gamma), yb - ss*cos(gamma)}},
            K5 = {{xa, ya}, {xa + zt*cos(delta), ya + zt*sin(delta)}},
            K6 = {{xa + u*sin(epsilon), ya - u*cos(epsilon)}, {xb + ss*sin(gamma), yb - ss*cos(gamma)}},
            K7 = {{xa, ya}, {xa + u*sin(epsilon), ya - u*cos(epsilon)}},
            spring = {{xc, yc}, {X, Y}}))));
end Squeezer;
