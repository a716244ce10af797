// The root has a value at 0, but an infinite slope: Newton's method cannot begin there.
model Root
  Real x(start = 0), y(start = 1);
equation
  sqrt(x) + y = 2 + time;
  x - y^3 = 1;
end Root;
