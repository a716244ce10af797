// Which root of the square is meant, the start says.
// expects: index 1, 1 degree of freedom
// expects start: branch z =
model SignOfTheRoot
  Real x(start = 1, fixed = true), z(start = -1);
  Real wrong = z + exp(-time/2);
equation
  der(x) = -x;
  z^2 = x;
end SignOfTheRoot;
