// Two four-bar linkages in one: three cranks from the ground, two coupling rods, five rods of constant length between
// six coordinates, masses in the moving joints. Unlike the well-known test mechanism with equal bars, its lengths
// keep it away from the singular position.
//
// Index 3, two states.
model DoubleFourBar "Three cranks, two coupling rods"
  parameter Real m = 1, g = 9.81, l1 = 1, l2 = 1.1, l3 = 1.25, d = 1.2;
  Real x1(start = 0.3, fixed = true), y1(start = 0.95), x2(start = 1.45), y2(start = 1.07), x3(start = 2.65),
    y3(start = 1.22);
  Real F1, F2, F3, G1, G2;
  parameter Real b1 = 1.1, b2 = 1.2;
initial equation
  der(x1) = 1;
equation
  x1^2 + y1^2 = l1^2;
  (x2 - d)^2 + y2^2 = l2^2;
  (x3 - 2*d)^2 + y3^2 = l3^2;
  (x2 - x1)^2 + (y2 - y1)^2 = b1^2;
  (x3 - x2)^2 + (y3 - y2)^2 = b2^2;
  m*der(der(x1)) = -F1*x1 + G1*(x2 - x1);
  m*der(der(y1)) = -F1*y1 + G1*(y2 - y1) - m*g;
  m*der(der(x2)) = -F2*(x2 - d) - G1*(x2 - x1) + G2*(x3 - x2);
  m*der(der(y2)) = -F2*y2 - G1*(y2 - y1) + G2*(y3 - y2) - m*g;
  m*der(der(x3)) = -F3*(x3 - 2*d) - G2*(x3 - x2);
  m*der(der(y3)) = -F3*y3 - G2*(y3 - y2) - m*g;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end DoubleFourBar;
