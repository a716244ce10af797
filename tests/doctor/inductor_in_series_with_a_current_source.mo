// A current source feeds an inductor: the current is given, and the voltage is its derivative.
// expects: index 2, 0 degrees of freedom
model InductorInSeriesWithACurrentSource
  Real i, u;
  Real wrong[2] = {i - cos(time), u + 3*sin(time)};
equation
  3*der(i) = u;
  i = cos(time);
end InductorInSeriesWithACurrentSource;
