// A variable that jumps needs events.
model Counter
  Integer n;
  Real x(start = 0, fixed = true);
equation
  der(x) = n;
  n = integer(time);
end Counter;
