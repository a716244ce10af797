// The double pendulum of models/double_pendulum.mo in its two angles from the downward vertical: no constraint, but
// masses that depend on the angles and centrifugal forces, which follow from the energies.
//
// Index 0, two degrees of freedom (four states). Start: both rods in line, 0.6 m to the right for each metre.
model DoublePendulumByEnergy "Two point masses on two rigid rods in two angles, from their energies"
  parameter Real m1(unit = "kg") = 1 "upper mass", m2(unit = "kg") = 1 "lower mass";
  parameter Real L1(unit = "m") = 1 "upper rod", L2(unit = "m") = 1 "lower rod";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real phi1(unit = "rad", start = asin(0.6), fixed = true) "angle of the upper rod";
  Real phi2(unit = "rad", start = asin(0.6), fixed = true) "angle of the lower rod";
initial equation
  der(phi1) = 0;
  der(phi2) = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6),
             __Driftless(lagrangian = m1*L1^2*der(phi1)^2/2
                           + m2*(der(L1*sin(phi1) + L2*sin(phi2))^2 + der(L1*cos(phi1) + L2*cos(phi2))^2)/2
                           + m1*g*L1*cos(phi1) + m2*g*(L1*cos(phi1) + L2*cos(phi2)),
                         coordinates = {phi1, phi2}));
end DoublePendulumByEnergy;
