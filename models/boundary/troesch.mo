// Troesch's problem: a plasma column confined by radiation pressure. All happens in a layer of width 1/n at the right
// end. With n = 10 the slope is 3.5833778463e-4 at the left end and 148.4 at the right one.
model Troesch "y'' = n sinh(n y), y(0) = 0, y(1) = 1"
  parameter Real n = 10 "how steep the layer is";
  Real y(start = 0, fixed = true);
equation
  der(der(y)) = n*sinh(n*y);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8),
             __Driftless(finalEquations = {y == 1}, invariants(energy = der(y)^2/2 - cosh(n*y))));
end Troesch;
