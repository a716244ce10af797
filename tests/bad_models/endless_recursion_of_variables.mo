// The same with an argument that is known only during the run.
function f
  input Real u;
  output Real y;
algorithm
  y := f(u + 1);
end f;

model Endless
  Real x;
equation
  x = f(time);
end Endless;
