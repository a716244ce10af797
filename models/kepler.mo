// A planet around a star with a small perturbation of Newton's law, H = |p|^2/2 - 1/r - c/r^3: an ellipse of
// eccentricity e that precesses slowly. No constraints, but two invariants: the energy H and the angular momentum.
// Projections onto H = const do not help a method that is not symplectic to find the right orbit.
//
// Index 1 as written (r is algebraic), four states, all given. The perturbation is printed as 0.005; related texts have
// half of it.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, Section VII.2, Fig. 2.3.
model Kepler "Perturbed Kepler problem, with energy and angular momentum"
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
             __Driftless(invariants(energy = (p1^2 + p2^2)/2 - 1/r - c/r^3,
                                    momentum = q1*p2 - q2*p1)));
end Kepler;
