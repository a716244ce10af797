// The sum begins with the start of a variable that has none.
model Sum
  Real x(start = 1, fixed = true), s;
equation
  der(x) = -x;
algorithm
  s := s + x;
end Sum;
