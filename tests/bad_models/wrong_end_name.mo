// The name behind `end` is that of another model.
model Pendulum
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Pendel;
