// A pendulum whose start is left open: no condition is given, and the starts do not lie on the circle.
model LoosePendulum
  parameter Real L(unit = "m") = 1 "length of the rod";
  Real x(start = 0.6, unit = "m");
  Real y(start = -1, unit = "m");
  Real lambda(unit = "N/m");
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = L^2;
end LoosePendulum;
