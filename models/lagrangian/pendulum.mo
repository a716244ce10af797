// The pendulum of models/pendulum.mo, given by its kinetic and its potential energy and by its rod. Half of the
// constraint x^2 + y^2 = L^2 is what makes its multiplier the force in the rod per length.
//
// Index 3, one degree of freedom (two states).
model PendulumByEnergy "A point mass on a rigid rod, from its energies"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 1 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  Real x(unit = "m", start = 1) "position, to the right";
  Real y(unit = "m", start = 0, fixed = true) "position, upwards";
initial equation
  der(y) = -1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(lagrangian = m*(der(x)^2 + der(y)^2)/2 - m*g*y,
                         coordinates = {x, y},
                         constraints = {(x^2 + y^2)/2 == L^2/2}));
end PendulumByEnergy;
