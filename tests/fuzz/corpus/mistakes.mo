model Bad "many mistakes"
  Real x = ;
  Real y(start = 1
  Real z;
  parameter Real a = 2
  Real input;
  Real w = 2x;
  Parameter Real q = 3;
equation
  x == 3;
  y := 4;
  z = (a + b;
  w = a < b < c;
  x = 3 $ 4 # 5;
  if x = 3 then
    y = 2
    z = 3;
  else if x > 4 then
    z = 7;
  end if;
  for i in 1:3
    x[i] = i^2^3;
  end for;
  x = [1, 2; 3, , 4; 5];
  Real foo;
  x = a * -b;
  x = f(a, b;
  y = if a then b;
  while x loop
  y = 1 2;
  y = 
    x
   z;
algorithm
  x = 3;
  (a, b) := 4;
  return 3;
  iff x then
   x := 1;
  end if;
end Badd;
x = 1;
y = 2;
model B end B;
model C equation x = 1; "unterminated
