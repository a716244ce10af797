model M
  Integer n;
  Real x(start = 1, fixed = true);
initial equation
  when x > 0 then
    n = 1;
  end when;
equation
  der(x) = -x;
end M;
