// Inverse dynamics of a planar arm with two links: the hand draws an ellipse, the torques of shoulder and elbow are
// asked.
//
// Index 3, no states.
model RobotInverse "Torques for a path of the hand"
  parameter Real l1 = 1, l2 = 0.8, m1 = 3, m2 = 2, g = 9.81;
  Real q1(start = 0.2), q2(start = 1.4), w1(start = 0), w2(start = 0), tau1(start = 30), tau2(start = 10),
    c2(start = 0.2), s2(start = 1);
equation
  c2 = cos(q2);
  s2 = sin(q2);
  der(q1) = w1;
  der(q2) = w2;
  l1*cos(q1) + l2*cos(q1 + q2) = 0.9 + 0.3*cos(2*time);
  l1*sin(q1) + l2*sin(q1 + q2) = 0.9 + 0.2*sin(2*time);
  tau1 = (m1*l1^2/3 + m2*(l1^2 + l2^2/3 + l1*l2*c2))*der(w1) + m2*(l2^2/3 + l1*l2*c2/2)*der(w2)
    - m2*l1*l2*s2*(w1*w2 + w2^2/2) + g*((m1/2 + m2)*l1*cos(q1) + m2*l2/2*cos(q1 + q2));
  tau2 = m2*(l2^2/3 + l1*l2*c2/2)*der(w1) + m2*l2^2/3*der(w2) + m2*l1*l2*s2/2*w1^2 + g*m2*l2/2*cos(q1 + q2);
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end RobotInverse;
