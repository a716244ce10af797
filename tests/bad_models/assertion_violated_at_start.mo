// The start contradicts the assertion.
model Tank
  Real h(start = 1, fixed = true);
equation
  der(h) = -sqrt(h);
  assert(h < 0.5, "the tank overflows");
end Tank;
