// A free pendulum in Cartesian coordinates that is at one place of its circle at the start and at another one after a
// given time. On its way it passes both points at which the rod is level, where x is no state, and the lowest point,
// where y is none: the states change from interval to interval.
//
// Index 3, two states: one condition at either end, of position. The guess says which way around the pendulum goes.
model PendulumTransfer "A pendulum from one place to another in a given time"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  parameter Real phi0(unit = "rad") = -2 "angle at the start, from the lowest point";
  parameter Real phi1(unit = "rad") = 2.5 "angle at the end";
  Real x(unit = "m", start = -0.9) "position, to the right";
  Real y(unit = "m", start = 0.4) "position, upwards";
  Real lambda "force in the rod, per length and mass";
initial equation
  x*cos(phi0) + y*sin(phi0) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8),
             __Driftless(finalEquations = {x*cos(phi1) + y*sin(phi1) == 0},
                         guess(x = L*sin(phi0 + (phi1 - phi0)*time), y = -L*cos(phi0 + (phi1 - phi0)*time)),
                         invariants(energy = (der(x)^2 + der(y)^2)/2 + g*y)));
end PendulumTransfer;
