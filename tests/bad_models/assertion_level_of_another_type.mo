// The level of an assertion is one of AssertionLevel.
model M
  type Color = enumeration(red, green);
  Real x(start = 1);
equation
  der(x) = -x;
  assert(x > 0, "below", Color.red);
end M;
