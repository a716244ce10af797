// The left side must be a variable alone.
model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  when x < 0.5 then
    2*y = x;
  end when;
end M;
