// A loss was forgotten in one of the balances.
// expects error: no values were found that satisfy line 10, line 11, line 12 and line 13 together
model FlowsThatDoNotBalance
  parameter Real k = 1e9;
  Real p2(start = 2e5), q1(start = 1e-2), q2(start = 1e-2), q3(start = 1e-2), qin, qout;
equation
  3e5 - p2 = k*q1*abs(q1);
  p2 - 1e5 = k*q2*abs(q2);
  2e5 = k*q3*abs(q3);
  qin = q1 + q3;
  q1 = q2 + 0.01;
  qout = q2 + q3;
  qin = qout;
end FlowsThatDoNotBalance;
