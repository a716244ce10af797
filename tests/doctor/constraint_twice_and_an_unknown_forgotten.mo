// As many equations as unknowns, but one constraint is written twice and z has no equation: nothing is left out for z.
// expects error: z occurs in no equation
model ConstraintTwiceAndAnUnknownForgotten
  Real x(start = 1), y(start = 0), lambda, z;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  x^2 + y^2 = 1;
end ConstraintTwiceAndAnUnknownForgotten;
