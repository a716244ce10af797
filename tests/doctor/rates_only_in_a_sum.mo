// Two variables whose rates occur only as a sum, and whose difference is given: one state.
// expects: index 2, 1 degree of freedom
model RatesOnlyInASum
  Real x(start = 1), y, s;
  Real wrong = x + y - 2*exp(-time);
equation
  der(x) + der(y) = -(x + y);
  x - y = 0;
  s = x + y;
end RatesOnlyInASum;
