// The pattern of the equations is that of a regular system, but both contain the same combination of derivatives: their difference
// is a constraint that no structural method can see.
model Hidden
  Real x(start = 1), y(start = 0), z;
equation
  der(x) + der(y) + z = sin(time);
  der(x) + der(y) + z = cos(time);
  x*y = 1;
end Hidden;
