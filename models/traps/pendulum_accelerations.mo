// The pendulum of ../pendulum.mo with its constraint differentiated twice by hand, as it is printed as model b: the
// accelerations stand in the last equation as derivatives. Nothing keeps the solution on the circle, and what Newton's
// iteration leaves undone in u and v enters the accelerations divided by the step size: the length drifts with the square
// of the time. With the dynamics substituted for der(u) and der(v), as the formulation index1 of ../pendulum.mo has them,
// the same discrete equations drift hundred times less.
//
// Index 1, four states. Large oscillations as they are; small ones: phi0 = 0.1, omega0 = 0.
//
// Source: S. E. Mattsson and G. Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, Section 5, model b.
model PendulumAccelerations "The planar pendulum, twice differentiated by hand"
  parameter Real phi0(unit = "rad") = 1.5707963267948966 "initial angle, from the downward vertical";
  parameter Real omega0(unit = "rad/s") = -1 "initial angular velocity";
  Real x(start = sin(phi0), fixed = true), y(start = -cos(phi0), fixed = true) "position";
  Real u(start = omega0*cos(phi0), fixed = true), v(start = omega0*sin(phi0), fixed = true) "velocity";
  Real lambda(start = 1) "force in the rod, per length";
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 1;
  x*der(u) + u^2 + y*der(v) + v^2 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PendulumAccelerations;
