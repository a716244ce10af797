// The pendulum of models/pendulum_angle.mo, given by its kinetic and its potential energy: one angle, no constraint.
//
// Index 0, two states.
model PendulumAngleByEnergy "The planar pendulum in its angle, from its energies"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  Real phi(unit = "rad", start = 1.5707963267948966, fixed = true) "angle from the downward vertical";
initial equation
  der(phi) = -1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(lagrangian = m*L^2*der(phi)^2/2 + m*g*L*cos(phi), coordinates = {phi}));
end PendulumAngleByEnergy;
