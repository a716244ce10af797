// A class that is an array has no room for other elements.
model Cell
  Real U = 1.5;
end Cell;

model Battery = Cell[3];

model Torch
  extends Battery;
  Real I = 0.1;
end Torch;
