// The derivative of the second equation is the first one, up to y: a constraint of higher index than the pattern shows.
model Hidden
  Real x(start = 1), y;
equation
  der(x) + time*der(y) = sin(time);
  x + time*y = cos(time);
end Hidden;
