// Only a variable can be assigned to.
model M
  function f
    input Real u;
    output Real y;
  algorithm
    2*y := u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
