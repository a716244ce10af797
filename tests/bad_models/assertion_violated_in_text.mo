// An assertion about parameters does not hold.
model M
  parameter Real m = -1;
  Real x(start = 1, fixed = true);
equation
  assert(m > 0, "the mass must be positive");
  der(x) = -x/m;
end M;
