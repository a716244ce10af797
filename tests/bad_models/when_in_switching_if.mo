model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  if x > 0.5 then
    when time > 0.1 then
      reinit(x, 1);
    end when;
  else
  end if;
end M;
