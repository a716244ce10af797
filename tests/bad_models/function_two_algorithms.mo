// A function has one algorithm.
function area
  input Real r;
  output Real A;
protected
  Real square;
algorithm
  square := r^2;
algorithm
  A := 3.14*square;
end area;

model Disc
  Real A = area(time);
end Disc;
