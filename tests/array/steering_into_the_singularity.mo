// The steering wheel from the point (1, 0) with z = 0: towards the arc on which no steering angle holds it.
model SteeringIntoTheSingularity
  Real y1(start = 1), y2(start = 0, fixed = true), z(start = 0);
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end SteeringIntoTheSingularity;
