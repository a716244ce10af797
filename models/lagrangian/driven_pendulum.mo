// A pendulum whose pivot is shaken up and down along a cos(w t): a constraint in which time occurs. The multiplier is
// declared, so that it has a unit and a start. With a w > sqrt(2 g L) the upright position is stable (Kapitza 1951): the
// pendulum starts 0.3 rad beside it and swings about it.
//
// Index 3, one degree of freedom (two states). The energy is not constant: the pivot does work.
model DrivenPendulum "A pendulum on a pivot that is shaken"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real a(unit = "m") = 0.2, w(unit = "rad/s") = 40 "amplitude and frequency of the pivot";
  Real x(unit = "m", start = 0.29552020666133955, fixed = true) "position, to the right";
  Real y(unit = "m", start = 1.155) "position, upwards";
  Real force(unit = "N/m", start = -10) "in the rod, per length";
initial equation
  der(x) = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6),
             __Driftless(lagrangian = m*(der(x)^2 + der(y)^2)/2 - m*g*y,
                         coordinates = {x, y},
                         constraints = {(x^2 + (y - a*cos(w*time))^2 - L^2)/2},
                         multipliers = {force}));
end DrivenPendulum;
