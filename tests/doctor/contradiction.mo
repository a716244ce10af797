// The same sum is 1 and 2.
// expects error: contradict
model Contradiction
  Real x(start = 1), y(start = 2);
equation
  der(x) + der(y) = 1;
  2*der(x) + 2*der(y) = 4;
end Contradiction;
