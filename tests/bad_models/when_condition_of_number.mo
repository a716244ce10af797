model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when x - 1 then
    reinit(x, 2);
  end when;
end M;
