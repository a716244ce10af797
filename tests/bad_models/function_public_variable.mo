// What a function needs for itself is protected.
function area
  input Real r;
  output Real A;
  Real square;
algorithm
  square := r^2;
  A := 3.14*square;
end area;

model Disc
  Real A = area(time);
end Disc;
