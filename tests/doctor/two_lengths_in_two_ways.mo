// A rod of two lengths, one as a square: no combination shows it, but no point satisfies both.
// expects error: line 8 and line 9 do not determine
model TwoLengthsInTwoWays
  Real x(start = 1), y(start = 0), l1, l2;
equation
  der(der(x)) = -l1*x - l2*x/sqrt(x^2 + y^2);
  der(der(y)) = -l1*y - l2*y/sqrt(x^2 + y^2) - 9.81;
  x^2 + y^2 = 1;
  sqrt(x^2 + y^2) = 1.1;
end TwoLengthsInTwoWays;
