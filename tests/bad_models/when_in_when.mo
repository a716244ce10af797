model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 then
    when time > 1 then
      reinit(x, 1);
    end when;
  end when;
end M;
