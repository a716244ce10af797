// Singular because D = 0: then the second equation has no z, and z follows from a derivative.
// expects: index 2, 0 degrees of freedom
model ParametersMakeItSingular
  parameter Real D = 0;
  Real x, z;
  Real wrong[2] = {x - sin(time), z - cos(time)};
equation
  der(x) = z;
  x + D*z = sin(time);
end ParametersMakeItSingular;
