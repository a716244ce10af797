// The steering wheel of Hairer and Wanner (II, VII.1) from (1, 0): at t = 0.372489707 no angle holds the point on the circle.
model SteeringWheel
  Real y1(start = 1), y2(start = 0, fixed = true) "position";
  Real z(start = 0) "steering";
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1;
  annotation(experiment(StopTime = 2));
end SteeringWheel;
