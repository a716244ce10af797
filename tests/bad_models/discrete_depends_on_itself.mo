model M
  Boolean b;
equation
  b = not b;
end M;
