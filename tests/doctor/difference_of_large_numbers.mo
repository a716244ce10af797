// Two pressures of 1e5 whose difference matters: the start is exact to rounding.
// expects: index 1, 1 degree of freedom
// expects start: found
model DifferenceOfLargeNumbers
  Real p1(start = 100000, fixed = true, nominal = 1e5), p2(nominal = 1e5), q(nominal = 1e-3);
  Real wrong = (p1 - p2 - 1e6*q)/1e5;
equation
  der(p1) = -1e5*q;
  p1 - p2 = 1e6*q;
  p2 = 1e5 - 1e4*q;
end DifferenceOfLargeNumbers;
