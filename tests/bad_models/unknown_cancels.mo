model UnknownCancels
  Real x = x + 1;
end UnknownCancels;
