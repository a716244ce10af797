// Steering along a prescribed path: (y1, y2) drifts with its position and is pushed in the direction of the steering
// angle 2.5 z, which must be turned so that the point stays on the unit circle. From y = (0, 1) it runs for ever and
// approaches an equilibrium close to an arc on which no steering angle can hold it.
//
// Index 2, one state (y1 is given, y2(start) says on which side, z(start) which of the two steering angles).
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, equation (1.9).
model SteeringWheel "Steering along the unit circle"
  Real y1(start = 0, fixed = true), y2(start = 1) "position";
  Real z(start = 0.63) "steering";
equation
  der(y1) = 0.7*y2 + sin(2.5*z);
  der(y2) = 1.4*y1 + cos(2.5*z);
  y1^2 + y2^2 = 1;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end SteeringWheel;
