// k is known only when the start has been found; another parameter cannot be computed from it before.
model Spring
  parameter Real k(fixed = false, start = 1);
  parameter Real c = 2*k;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
initial equation
  der(v) = -4;
equation
  der(x) = v;
  der(v) = -k*x - c*v;
end Spring;
