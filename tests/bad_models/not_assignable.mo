// This cannot be assigned.
model M
  function f
    input Real u;
    output Real y;
  algorithm
    u := 2*u;
    y := u;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
