// An input is given from outside: statements cannot change it.
model Drive
  input Real u(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
algorithm
  u := 2*x;
end Drive;
