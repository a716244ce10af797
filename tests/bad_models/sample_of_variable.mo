model M
  Real x(start = 1, fixed = true), u;
equation
  der(x) = -x;
  when sample(0, x) then
    u = x;
  end when;
end M;
