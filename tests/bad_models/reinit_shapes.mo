model M
  Real x[2](each start = 1, each fixed = true);
equation
  der(x) = -x;
  when time > 0.5 then
    reinit(x, {1, 2, 3});
  end when;
end M;
