// What jumps has no derivative.
model Step
  Real z(start = 0, fixed = true);
equation
  der(z) = der(sign(time - 0.5));
end Step;
