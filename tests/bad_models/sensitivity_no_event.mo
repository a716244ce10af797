model SensitivityNoEvent
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if x > 0.5 then 2*p else p);
end SensitivityNoEvent;
