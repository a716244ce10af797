// A function of the model's own with one argument too many.
function square
  input Real u;
  output Real y;
algorithm
  y := u*u;
end square;

model Parabola
  Real x;
equation
  x = square(time, 2);
end Parabola;
