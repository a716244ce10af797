// An equation in which the unknown cancels.
// expects error: the equation x - x = 0*y contains no unknown
model UnknownCancels
  Real x, y;
equation
  x - x = 0*y;
  2*y = 5;
end UnknownCancels;
