// The constraint is fixed as an initial condition a second time: it holds, and counts for nothing.
// expects: index 3, 2 degrees of freedom
// expects start: superfluous initial equation
model DerivativeFixedAtTheWrongLevel
  Real x(start = 0.6), y(start = -0.8), lambda;
  Real wrong = x^2 + y^2 - 1;
initial equation
  x*der(x) + y*der(y) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end DerivativeFixedAtTheWrongLevel;
