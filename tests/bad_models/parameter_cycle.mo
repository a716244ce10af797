// Each of three parameters waits for another.
model Cycle
  parameter Real area = width*height;
  parameter Real width = area/height;
  parameter Real height = 2*width;
  Real x;
equation
  x = area;
end Cycle;
