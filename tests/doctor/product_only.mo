// Both equations have the rate of x y, and together they give x y: what each of the factors is, nothing says.
// expects error: line 6 and line 7 do not determine der(x) and der(y)
model ProductOnly
  Real x(start = 2, fixed = true), y;
equation
  x*der(y) + y*der(x) = -2*sin(time);
  2*x*der(y) + 2*y*der(x) + x*y = 2*cos(time) - 4*sin(time);
end ProductOnly;
