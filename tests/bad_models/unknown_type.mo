// A type that is not.
model Decay
  Reel x(start = 1, fixed = true);
equation
  der(x) = -x;
end Decay;
