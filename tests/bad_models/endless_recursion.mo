// A function that calls itself and never returns.
function f
  input Real u;
  output Real y;
algorithm
  y := f(u + 1);
end f;

model Endless
  parameter Real p = f(1);
  Real x;
equation
  x = p*time;
end Endless;
