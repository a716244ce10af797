// previous(x) is a value at the tick before: of which clock?
model NoClock
  Real x = previous(x) + 1;
end NoClock;
