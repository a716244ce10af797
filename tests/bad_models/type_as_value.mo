model TypeAsValue
  type Length = Real(unit = "m");
  Real x(start = 1, fixed = true);
equation
  der(x) = -x + Length;
end TypeAsValue;
