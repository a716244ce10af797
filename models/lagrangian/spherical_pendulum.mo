// The pendulum of models/spherical_pendulum.mo, given by its energies, with arrays: a point on a sphere.
//
// Index 3, two degrees of freedom (four states).
model SphericalPendulumByEnergy "A point mass on a rigid rod in space, from its energies"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  Real r[3](each unit = "m", start = {1, 0, 0}, fixed = {false, true, true}) "position, r[3] upwards";
initial equation
  der(r[2]) = 1.5;
  der(r[3]) = 0;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6),
             __Driftless(lagrangian = m*der(r)*der(r)/2 - m*g*r[3],
                         coordinates = r,
                         constraints = {(r*r - L^2)/2}));
end SphericalPendulumByEnergy;
