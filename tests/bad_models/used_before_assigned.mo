// Used before it has a value.
model M
  function f
    input Real u;
    output Real y;
  protected
    Real s;
  algorithm
    y := u + s;
    s := 1;
  end f;
  Real x(start = 1, fixed = true);
equation
  der(x) = -f(x);
end M;
