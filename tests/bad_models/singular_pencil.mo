model Singular "An equation and its derivative"
  Real x, y, z(start = 1, fixed = true);
equation
  der(x) + der(y) = 1;
  x + y = time;
  der(z) = -z;
end Singular;
