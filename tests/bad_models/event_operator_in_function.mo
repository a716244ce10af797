model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := if initial() then 0 else x;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
