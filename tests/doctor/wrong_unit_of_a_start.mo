// A start in millimetres where metres are meant: the equation moves it, and init says by how much.
// expects: index 3, 2 degrees of freedom
// expects start: moved y = -800 -> -0.8
model WrongUnitOfAStart
  Real x(start = 0.6, fixed = true), y(start = -800), lambda;
  Real wrong = x^2 + y^2 - 1;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end WrongUnitOfAStart;
