// A parameter cannot follow a variable.
model Fall
  Real v(start = 0, fixed = true);
  parameter Real energy = v^2/2;
equation
  der(v) = -9.81;
end Fall;
