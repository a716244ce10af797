// One equals sign does not compare.
model Switch
  parameter Integer mode = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = if mode = 1 then -x else x;
end Switch;
