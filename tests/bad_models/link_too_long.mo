// Four parallel links carry a plate, and the last one is too long.
model LinkTooLong
  Real x(start = 0.6), y(start = -0.8), turn(start = 0), vx, vy, w;
  Real f1, f2, f3, f4;
equation
  der(x) = vx;
  der(y) = vy;
  der(turn) = w;
  der(vx) = -f1*(x - 2*cos(turn) + 2) - f2*x - f3*(x + cos(turn) - 1) - f4*(x + 2.5*cos(turn) - 2.5);
  der(vy) = -1 - f1*(y - 2*sin(turn)) - f2*y - f3*(y + sin(turn)) - f4*(y + 2.5*sin(turn));
  der(w) = 2*f1*y - f3*y - 2.5*f4*y;
  (x - 2*cos(turn) + 2)^2 + (y - 2*sin(turn))^2 = 1;
  x^2 + y^2 = 1;
  (x + cos(turn) - 1)^2 + (y + sin(turn))^2 = 1;
  (x + 2.5*cos(turn) - 2.5)^2 + (y + 2.5*sin(turn))^2 = 1.1;
end LinkTooLong;
