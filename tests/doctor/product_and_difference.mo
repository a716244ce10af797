// The rate of x y in two equations gives x y; the rate of x - y is free of it.
// expects: index 2, 1 degree of freedom
model ProductAndDifference
  Real x(start = 1, fixed = true), y, z;
  Real wrong[2] = {x*y - exp(-time), z - cos(time)};
equation
  x*der(y) + y*der(x) + z = cos(time) - exp(-time);
  2*x*der(y) + 2*y*der(x) + 2*z + x*y = 2*cos(time) - exp(-time);
  der(x) = z*y;
end ProductAndDifference;
