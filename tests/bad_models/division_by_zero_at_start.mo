// The distance of two bodies that start at the same place.
model Bodies
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -1/x^2;
end Bodies;
