model M
  Boolean a, b;
equation
  if time > 1 then
    a = true;
  else
    b = true;
  end if;
  b = a;
end M;
