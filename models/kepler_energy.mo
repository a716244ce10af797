// The perturbed Kepler problem of kepler.mo with its energy as the only invariant that is declared, and so the only one
// that a projection enforces. The exact orbit is a rosette that fills the annulus 0.4 <= r <= 1.3133 (radial period
// 5.05445447, advance of the perihelion 0.25511761 rad per revolution); the angular momentum is 0.8.
//
// Index 1 as written (r is algebraic), four states, all given.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, Section VII.2, Fig. 2.3.
model KeplerEnergy "Perturbed Kepler problem, with its energy"
  parameter Real e = 0.6 "eccentricity of the unperturbed ellipse";
  parameter Real c = 0.005 "perturbation";
  Real q1(start = 1 - e, fixed = true), q2(start = 0, fixed = true) "position";
  Real p1(start = 0, fixed = true), p2(start = sqrt((1 + e)/(1 - e)), fixed = true) "momentum";
  Real r(start = 1 - e) "distance";
equation
  r = sqrt(q1^2 + q2^2);
  der(q1) = p1;
  der(q2) = p2;
  der(p1) = -q1/r^3 - 3*c*q1/r^5;
  der(p2) = -q2/r^3 - 3*c*q2/r^5;
  annotation(experiment(StopTime = 50, Tolerance = 1e-8),
             __Driftless(invariants(energy = (p1^2 + p2^2)/2 - 1/r - c/r^3)));
end KeplerEnergy;
