model SensitivityNoEvent
  parameter Real p = 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if time > p then 2 else 1)*noEvent(if time > 1 - p then 3 else 1);
end SensitivityNoEvent;
