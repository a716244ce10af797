// A function alone cannot be simulated.
function square
  input Real u;
  output Real y;
algorithm
  y := u*u;
end square;
