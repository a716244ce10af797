// A mixed problem of index 2: of the three unknowns without derivative, two are of index 1 and one of index 2. The last
// two equations can be solved for two of them; the first constraint has to be differentiated for the third.
//
// Exact: y1 = sin(t), y2 = exp(-t), z1 = cos(t), z2 = t, z3 = exp(t). Own numbers.
model MixedIndex2 "Three algebraic unknowns, of which two are of index 1"
  Real y1(start = 0), y2(start = 1, fixed = true);
  Real z1(start = 1), z2(start = 0), z3(start = 1);
equation
  der(y1) = 2*z1 + y2*z2 - cos(time) - time*exp(-time);
  der(y2) = -y2 + z1*z3 - exp(time)*cos(time);
  y1 = sin(time);
  z1 + z2 + y1 = cos(time) + time + sin(time);
  2*z1 + 2*z2 + z3 + y1^2 = 2*cos(time) + 2*time + exp(time) + sin(time)^2;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end MixedIndex2;
