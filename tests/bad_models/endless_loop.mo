// A loop whose condition stays true.
function f
  input Real u;
  output Real y;
algorithm
  y := u;
  while y < 10 loop
    y := y - 1;
  end while;
end f;

model Endless
  parameter Real p = f(1);
  Real x;
equation
  x = p*time;
end Endless;
