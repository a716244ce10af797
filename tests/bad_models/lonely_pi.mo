// pi is not a word of the language.
model Wave
  Real x;
equation
  x = sin(2*pi*time);
end Wave;
