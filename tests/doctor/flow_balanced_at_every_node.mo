// Two branches between two tanks, and what flows in must flow out: written once more.
// expects error: 7 equations determine only 6 unknowns: p2, q1, q2, q3, qin and qout
// expects error: line 14: qin = qout follows from line 11, line 12 and line 13: remove it, or one of these
model FlowBalancedAtEveryNode
  parameter Real k = 1e9;
  Real p2(start = 2e5), q1(start = 1e-2), q2(start = 1e-2), q3(start = 1e-2), qin, qout;
equation
  3e5 - p2 = k*q1*abs(q1);
  p2 - 1e5 = k*q2*abs(q2);
  2e5 = k*q3*abs(q3);
  qin = q1 + q3;
  q1 = q2;
  qout = q2 + q3;
  qin = qout;
end FlowBalancedAtEveryNode;
