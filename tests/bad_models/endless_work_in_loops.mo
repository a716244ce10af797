// A hundred million turns.
function count
  output Integer y;
algorithm
  y := 0;
  for i in 1:10000, j in 1:10000 loop
    y := y + 1;
  end for;
end count;
model M
  parameter Integer n = count();
  Real x;
equation
  x = n*time;
end M;
