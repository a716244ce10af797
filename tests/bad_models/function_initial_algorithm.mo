// A function has no start.
function twice
  input Real u;
  output Real y;
initial algorithm
  y := 2*u;
end twice;

model Gain
  Real y = twice(time);
end Gain;
