// The root has a value at 0, but no finite slope, which Newton's iteration of an implicit method needs.
model NoSlopeAtStart
  Real z(start = 0, fixed = true);
equation
  der(z) = -sqrt(z);
end NoSlopeAtStart;
