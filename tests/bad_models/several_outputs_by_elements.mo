// Only functions of one output are applied to every element of an array.
function polar
  input Real x;
  output Real size;
  output Real sign;
algorithm
  size := abs(x);
  sign := if x < 0 then -1 else 1;
end polar;

model Vectors
  Real size[2], sign[2];
equation
  (size, sign) = polar({time, -time});
end Vectors;
