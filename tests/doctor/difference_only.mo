// Jerks in the same combination: the difference is determined by the equations, and nothing else.
// expects error: line 6 and line 7 do not determine der(der(der(x))) and der(der(der(y)))
model DifferenceOnly
  Real x, y;
equation
  der(der(der(x))) - der(der(der(y))) = -cos(time);
  der(der(der(x))) - der(der(der(y))) + x - y = sin(time) - cos(time);
end DifferenceOnly;
