// The square root has no value at the start.
// expects failure: sqrt
model SquareRootOfANegative
  Real x(start = -1, fixed = true), z;
equation
  der(x) = -x;
  z = sqrt(x);
end SquareRootOfANegative;
