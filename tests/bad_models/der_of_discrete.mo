// A variable that a when clause assigns to is discrete.
model Reset
  Real x(start = 0);
equation
  der(x) = 1;
  when x > 1 then
    x = 0;
  end when;
end Reset;
