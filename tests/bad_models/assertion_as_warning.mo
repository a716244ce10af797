// A warning, and a bound that is exceeded, do not end the run; an error does.
model Tank
  Real h(start = 1, fixed = true, min = 0.5);
equation
  der(h) = -1;
  assert(h > 0.755, "the level is low", AssertionLevel.warning);
  assert(h > 0.255, "the level is too low");
end Tank;
