// Two inputs, one of which has a start.
model Drive
  input Real force, drag(start = 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = force - drag*x;
end Drive;
