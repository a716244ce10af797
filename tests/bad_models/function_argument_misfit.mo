// The function that is passed has another input than the one that is expected.
partial function Integrand
  input Real x;
  output Real y;
end Integrand;

function trapezoid "of one interval"
  input Integrand f;
  input Real a;
  input Real b;
  output Real s;
algorithm
  s := (b - a)*(f(a) + f(b))/2;
end trapezoid;

function bell
  input Real t;
  output Real y;
algorithm
  y := exp(-t^2);
end bell;

model Area
  parameter Real s = trapezoid(bell, 0, 1);
  Real x(start = s, fixed = true);
equation
  der(x) = -x;
end Area;
