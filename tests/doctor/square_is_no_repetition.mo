// Where the first constraint holds, the second one says y^2 = 0: it does not follow, and nothing may be left out.
// expects failure: line 9: x + y^2 = 0
model SquareIsNoRepetition
  Real x(start = 0), y(start = 0), l1, l2;
equation
  der(der(x)) = -x - l1 - l2;
  der(der(y)) = -y - 2*y*l2;
  x = 0;
  x + y^2 = 0;
end SquareIsNoRepetition;
