model M
  Integer n;
equation
  n = 2.5*integer(time);
end M;
