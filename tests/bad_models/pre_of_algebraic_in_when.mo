// Variables that are differentiated stay where they are until the reinits; others need an equation that gives them.
model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y + y^3 = if x > 0.5 then 1 else 2;
  when x < 0.3 then
    reinit(x, pre(y));
  end when;
end M;
