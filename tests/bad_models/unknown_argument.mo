// An argument that the function does not have, or has already.
model M
  function f
    input Real speed;
    output Real y;
  algorithm
    y := 2*speed;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(sped = x);
end M;
