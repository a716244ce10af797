// x is continuous, s lives at ticks: hold(s) would be continuous as well.
model Mixed
  Real x(start = 0, fixed = true), s;
equation
  der(x) = s;
  s = sample(x, Clock(0.1));
end Mixed;
