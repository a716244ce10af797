// Bratu's problem: the temperature of a slab that heats itself. For 0 < lambda < 3.513830719 there are two solutions;
// which one is found depends on the guess, a parabola of the given height. height = 0 leads to the lower solution,
// height = 4 to the upper one.
//
// With theta = sqrt(2 lambda) cosh(theta/4): y = -2 log(cosh((t - 1/2) theta/2) / cosh(theta/4)); for lambda = 1 the two
// roots are 1.51716459905075 and 10.9387027721221
model Bratu "y'' + lambda exp(y) = 0 between two walls of temperature 0"
  parameter Real lambda = 1 "strength of the heating, over conduction";
  parameter Real height = 0 "of the guess";
  Real y(start = 0, fixed = true) "temperature";
equation
  der(der(y)) = -lambda*exp(y);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8),
             __Driftless(finalEquations = {y == 0}, guess(y = 4*height*time*(1 - time)),
                         invariants(energy = der(y)^2/2 + lambda*exp(y))));
end Bratu;
