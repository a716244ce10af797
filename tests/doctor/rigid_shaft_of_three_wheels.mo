// Three wheels on one shaft turn alike: one degree of freedom of position and one of velocity.
// expects: index 3, 2 degrees of freedom
model RigidShaftOfThreeWheels
  Real a(start = 0, fixed = true), b, c, w(start = 0, fixed = true), t1, t2;
  Real wrong[3] = {a - time^2/12, b - a, c - a};
equation
  der(a) = w;
  der(w) = 1 - t1;
  2*der(der(b)) = t1 - t2;
  3*der(der(c)) = t2;
  a = b;
  b = c;
end RigidShaftOfThreeWheels;
