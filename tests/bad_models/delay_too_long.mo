// The second number bounds the first.
model Echo
  Real y = delay(sin(time), 2, 1);
end Echo;
