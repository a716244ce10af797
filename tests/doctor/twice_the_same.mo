// One equation twice: nothing is left of the difference.
// expects error: line 6 and line 7
model TwiceTheSame
  Real x(start = 1), y(start = 2);
equation
  der(x) + der(y) = 1;
  2*der(x) + 2*der(y) = 2;
end TwiceTheSame;
