// Nobody can see whether the two sides meet: the surface is not found.
model Hidden
  Real x, y, u(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  der(u) = -u;
  x = noEvent(if exp(u) < -1 then u else 2*u);
  y = der(x);
  der(z) = y;
end Hidden;
