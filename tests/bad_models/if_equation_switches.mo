// Equations that change during the run need events.
model Switch
  Real x(start = 1, fixed = true);
equation
  if x > 0.5 then
    der(x) = -1;
  else
    der(x) = -x;
  end if;
end Switch;
