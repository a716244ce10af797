// An output is not assigned.
model M
  function f
    input Real u;
    output Real y;
  algorithm
    if u > 0 then
      y := u;
    end if;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
