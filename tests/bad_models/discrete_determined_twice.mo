model M
  Real x(start = 1, fixed = true);
  Boolean b = x > 0;
equation
  der(x) = -x;
  when time > 1 then
    b = true;
  end when;
end M;
