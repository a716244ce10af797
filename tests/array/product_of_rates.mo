// The rates occur as a product inside nonlinear functions, so that every combination that is free of them has factors with
// rates in them: no repair by symbols. The first equation determines the product p, the second then is a constraint
// between x and y, and its derivative gives the difference of the rates. One degree of freedom.
// Solution: x = 2 t + sin(t), y = t + (1 - cos(t))/2, p = (2 + cos(t)) (1 + sin(t)/2). The rates have names, so that
// their starts can say which of two solutions is meant.
model ProductOfRates
  Real x(start = 0, fixed = true), y, dx(start = 3), dy(start = 1);
equation
  der(x) = dx;
  der(y) = dy;
  dx*dy + (dx*dy)^3 = (2 + cos(time))*(1 + sin(time)/2) + ((2 + cos(time))*(1 + sin(time)/2))^3;
  sin(dx*dy) + x - y = sin((2 + cos(time))*(1 + sin(time)/2)) + time + sin(time) - (1 - cos(time))/2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end ProductOfRates;
