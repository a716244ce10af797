model M
  Integer n, m = integer(time);
equation
  n + m = 3;
end M;
