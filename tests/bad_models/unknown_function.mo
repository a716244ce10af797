// A function of another language.
model Growth
  Real x;
equation
  x = sine(time);
end Growth;
