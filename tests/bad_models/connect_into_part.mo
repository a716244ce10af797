// The pins of the cell belong to the battery.
connector Pin
  Real v;
  flow Real i;
end Pin;

model Cell
  Pin p;
  Pin n;
equation
  p.v - n.v = 1.5;
  p.i + n.i = 0;
end Cell;

model Battery
  Cell cell;
end Battery;

model Torch
  Battery battery;
equation
  connect(battery.cell.p, battery.cell.n);
  battery.cell.p.v = 0;
end Torch;
