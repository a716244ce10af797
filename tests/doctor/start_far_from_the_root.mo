// The guess is far from the only root, where the slope is nearly 0.
// expects: index 1, 1 degree of freedom
// expects start: found
model StartFarFromTheRoot
  Real x(start = 1, fixed = true), z(start = 30);
  Real wrong = z^3 + z - 2*x;
equation
  der(x) = -x;
  z^3 + z = 2*x;
end StartFarFromTheRoot;
