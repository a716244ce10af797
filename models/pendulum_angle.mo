// The pendulum of pendulum.mo in its angle from the downward vertical: no constraint, nothing to choose. This is the
// state-space form that the Cartesian forms are measured by.
//
// Index 0, two states. Small oscillations: phi0 = 0.1, omega0 = 0.
//
// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, Section 5, model a.
model PendulumAngle "The planar pendulum in its angle"
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real phi0(unit = "rad") = 1.5707963267948966 "initial angle";
  parameter Real omega0(unit = "rad/s") = -1 "initial angular velocity";
  Real phi(unit = "rad", start = phi0, fixed = true) "angle from the downward vertical";
  Real omega(unit = "rad/s", start = omega0, fixed = true) "angular velocity";
equation
  der(phi) = omega;
  L*der(omega) = -g*sin(phi);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PendulumAngle;
