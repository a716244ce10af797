// k is known only when the start has been found; an Integer, which may decide about sizes, cannot be computed from it.
model Spring
  parameter Real k(fixed = false, start = 1);
  parameter Integer n = integer(2*k);
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
initial equation
  der(v) = -4;
equation
  der(x) = v;
  der(v) = -k*x - n*v;
end Spring;
