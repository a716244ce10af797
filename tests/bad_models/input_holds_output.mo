// The connector says already who gives the value.
connector Signals
  Real e;
  flow Real f;
  output Real y;
end Signals;

model Controller
  input Signals signals(e = 1, y = 2);
end Controller;
