// Inverse dynamics of a robot arm with an elastic joint: the arm shall follow a path, and the torque of the motor is
// asked. The spring is progressive: torque k s + k3 s^3.
//
// Index 5, no states: everything follows from the path and four derivatives of it.
model ElasticJointInverse "Torque for an arm behind an elastic joint"
  parameter Real J = 0.1 "motor", I = 1 "arm", m = 5, l = 0.4, g = 9.81, k = 100, k3 = 50;
  Real phi(start = 0) "motor", theta(start = 0) "arm", s(start = 0), T(start = 20), tau(start = 20);
equation
  theta = 0.6*sin(1.3*time) + 0.2*cos(2.1*time);
  s = phi - theta;
  T = k*s + k3*s^3;
  I*der(der(theta)) = T - m*g*l*cos(theta);
  J*der(der(phi)) = tau - T;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end ElasticJointInverse;
