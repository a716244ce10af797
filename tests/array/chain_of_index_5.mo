// Four differentiations of the last equation give the first variable: index 5, and nothing is free but v, which is
// driven by the chain. Solution: x[k] = sin(t + (5 - k) pi/2), v = (v0 - 1/2) exp(-t) + (sin(t) + cos(t))/2.
model ChainOfIndex5
  Real x[5], v(start = 1, fixed = true);
equation
  for k in 1:4 loop
    der(x[k + 1]) = x[k];
  end for;
  x[5] = sin(time);
  der(v) = x[1]*cos(time) + x[4]*(1 - sin(time)) - v;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ChainOfIndex5;
