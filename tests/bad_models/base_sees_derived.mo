// The base class does not know who extends it.
partial model Base
  Real force = 2*stiffness;
end Base;

model Spring
  extends Base;
  parameter Real stiffness = 3;
end Spring;
