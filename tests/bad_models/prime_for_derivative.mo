// Derivatives have no primes.
model Oscillator
  Real x(start = 1);
equation
  x'' = -x;
end Oscillator;
