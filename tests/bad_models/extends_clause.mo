// Inheritance comes later.
model Base
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Base;

model Derived
  extends Base;
  Real y;
equation
  y = 2*x;
end Derived;
