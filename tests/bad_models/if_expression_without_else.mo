// An expression has a value in every case.
model Ramp
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 1;
end Ramp;
