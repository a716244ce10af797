model UnknownCancelsInGroup
  Real x, y, z;
equation
  x + y - y = x + 2;
  y = x;
  z = x + y;
end UnknownCancelsInGroup;
