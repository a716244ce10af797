// The same initial equation in two forms.
// expects: index 1, 2 degrees of freedom
// expects start: superfluous
model InitialEquationTwice
  Real x(start = 1), v(start = 0);
  Real wrong = x - cos(time);
initial equation
  x + v = 1;
  2*x + 2*v = 2;
equation
  der(x) = v;
  der(v) = -x;
end InitialEquationTwice;
