// A minus sign pasted from a text is another character.
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = −x;
end Decay;
