// A skate on an inclined plane: it slides along its blade and turns about the vertical, but it cannot move sideways.
// Starting at rest with a spin it does not run down the slope: it describes a cycloid and comes back to its height,
//
//   phi = omega t,  x = g sin(alpha)/(2 omega^2) sin(omega t)^2,  y = g sin(alpha)/(2 omega^2) (omega t - sin(2 omega t)/2).
//
// Nonholonomic: the constraint is one of velocities. Index 2, five states: x, y, phi, the spin and the speed along the
// blade are given.
//
// Source: Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, AMS 1972, Chapter III.
model KnifeEdge "A skate that cannot move sideways, on an inclined plane"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real J(unit = "kg.m2") = 0.5 "inertia about the vertical";
  parameter Real g(unit = "m/s2") = 10 "gravity";
  parameter Real alpha(unit = "rad") = 0.5 "inclination of the plane, downwards along x";
  parameter Real omega(unit = "rad/s") = 2 "spin";
  Real x(unit = "m", start = 0, fixed = true) "position, down the slope";
  Real y(unit = "m", start = 0, fixed = true) "position, along the slope";
  Real phi(unit = "rad", start = 0, fixed = true) "direction of the blade";
  Real vx(unit = "m/s", start = 0, fixed = true), vy(unit = "m/s", start = 0) "velocity";
  Real w(unit = "rad/s", start = omega, fixed = true) "spin";
  Real lambda(unit = "N") "force at right angles to the blade";
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = w;
  m*der(vx) = m*g*sin(alpha) - lambda*sin(phi);
  m*der(vy) = lambda*cos(phi);
  J*der(w) = 0;
  vx*sin(phi) - vy*cos(phi) = 0;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end KnifeEdge;
