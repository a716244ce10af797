model InitialValueOfLaterEquation
  Boolean active, next;
  Real x(start = 0, fixed = true);
initial equation
  active = true;
equation
  active = pre(next) and x > 1;
  next = active;
  der(x) = if active then 1 else 0;
end InitialValueOfLaterEquation;
