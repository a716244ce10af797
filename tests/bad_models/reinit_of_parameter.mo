model M
  parameter Real p = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
  when x < 0.5 then
    reinit(p, 2);
  end when;
end M;
