// Two initial equations that contradict each other, and one that has nothing to do with them.
// expects failure: cannot hold together
// expects start: conflict initial equation line 9
// expects start: conflict initial equation line 10
model InitialEquationsParallel
  Real x(start = 1), v(start = 0), w(start = 0);
initial equation
  w = 3;
  x + v = 1;
  2*x + 2*v = 4;
equation
  der(x) = v;
  der(v) = -x;
  der(w) = -w;
end InitialEquationsParallel;
