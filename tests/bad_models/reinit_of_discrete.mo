model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -x;
  when x < 0.5 then
    reinit(n, 1);
  end when;
end M;
