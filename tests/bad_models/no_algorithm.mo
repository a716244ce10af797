// A function without an algorithm.
model M
  function f
    input Real u;
    output Real y;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
