// More variables than the function has outputs.
model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -a - b;
  (a, b) = f(x);
end M;
