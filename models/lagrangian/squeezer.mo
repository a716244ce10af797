// Andrews' squeezing mechanism, the seven bodies of models/squeezer.mo, from their energies: the text says where the
// centres of mass are, how fast the bodies turn, and how long the spring is. Mass matrix, gyroscopic forces and the
// directions of the joint forces follow.
//
// Index 3, one degree of freedom (two states).
//
// Source: as models/squeezer.mo; the centres of mass are those that its mass matrix belongs to.
model SqueezerByEnergy "Andrews' squeezing mechanism, from its energies"
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
  Real beta(unit = "rad", start = -0.0617), Theta(unit = "rad", start = 0, fixed = true);
  Real gamma(unit = "rad", start = 0.455), Phi(unit = "rad", start = 0.223), delta(unit = "rad", start = 0.487);
  Real Omega(unit = "rad", start = -0.223), epsilon(unit = "rad", start = 1.23);
  Real lambda1(start = 98.6), lambda2(start = -6.12), lambda3, lambda4, lambda5, lambda6 "joint forces in N";
initial equation
  der(Theta) = 0;
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-6),
             __Driftless(
    // m v^2/2 + I omega^2/2 of every body; the spring; the motor, whose constant torque has a potential
    lagrangian =
        m1*(der(ra*cos(beta))^2 + der(ra*sin(beta))^2)/2 + I1*der(beta)^2/2
      + m2*(der(rr*cos(beta) - da*cos(beta + Theta))^2 + der(rr*sin(beta) - da*sin(beta + Theta))^2)/2
      + I2*(der(beta) + der(Theta))^2/2
      + m3*(der(sa*sin(gamma) + sb*cos(gamma))^2 + der(sb*sin(gamma) - sa*cos(gamma))^2)/2 + I3*der(gamma)^2/2
      + m4*(der(zt*cos(delta) + (e - ea)*sin(Phi + delta))^2
          + der(zt*sin(delta) - (e - ea)*cos(Phi + delta))^2)/2 + I4*(der(Phi) + der(delta))^2/2
      + m5*(der(ta*cos(delta) - tb*sin(delta))^2 + der(ta*sin(delta) + tb*cos(delta))^2)/2 + I5*der(delta)^2/2
      + m6*(der(u*sin(epsilon) + (zf - fa)*cos(Omega + epsilon))^2
          + der((zf - fa)*sin(Omega + epsilon) - u*cos(epsilon))^2)/2 + I6*(der(Omega) + der(epsilon))^2/2
      + m7*(der(ua*sin(epsilon) + ub*cos(epsilon))^2 + der(ub*sin(epsilon) - ua*cos(epsilon))^2)/2
      + I7*der(epsilon)^2/2
      - c0*(sqrt((sd*cos(gamma) + sc*sin(gamma) + xb - xc)^2 + (sd*sin(gamma) - sc*cos(gamma) + yb - yc)^2) - l0)^2/2
      + mom*beta,
    coordinates = {beta, Theta, gamma, Phi, delta, Omega, epsilon},
    constraints = {
      rr*cos(beta) - d*cos(beta + Theta) - ss*sin(gamma) == xb,
      rr*sin(beta) - d*sin(beta + Theta) + ss*cos(gamma) == yb,
      rr*cos(beta) - d*cos(beta + Theta) - e*sin(Phi + delta) - zt*cos(delta) == xa,
      rr*sin(beta) - d*sin(beta + Theta) + e*cos(Phi + delta) - zt*sin(delta) == ya,
      rr*cos(beta) - d*cos(beta + Theta) - zf*cos(Omega + epsilon) - u*sin(epsilon) == xa,
      rr*sin(beta) - d*sin(beta + Theta) - zf*sin(Omega + epsilon) + u*cos(epsilon) == ya},
    multipliers = {lambda1, lambda2, lambda3, lambda4, lambda5, lambda6}));
end SqueezerByEnergy;
