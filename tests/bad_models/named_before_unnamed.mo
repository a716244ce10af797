// An argument without a name behind one with a name.
model M
  function f
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a - b;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = f(b = x, 1);
end M;
