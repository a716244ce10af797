model M
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x;
  if x > 0.5 then
    y = 1;
    z = 2;
  else
    y = 2;
  end if;
end M;
