// A mass on a guide that moves as an input says: x = u, so the force needs the second derivative of u. Index 3. A table
// has none where its slope changes, and is refused; a function in C++ is a spline, which has.
model GuidedMass "the force that moves a mass along a given path"
  parameter Real m(unit = "kg") = 2 "mass";
  input Real u(unit = "m", start = 0) "where the guide is";
  Real x(unit = "m"), v(unit = "m/s"), F(unit = "N");
equation
  der(x) = v;
  m*der(v) = F;
  x = u;
  annotation(experiment(StopTime = 3));
end GuidedMass;
