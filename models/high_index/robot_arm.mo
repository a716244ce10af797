// A robot arm of two links, the second one driven through an elastic joint, whose hand follows a given path: which
// torques u1, u2 does that take? x1 is the angle of the first link, x3 that of the second against it, x2 that of the motor
// behind the elastic joint; x4, x5, x6 are their rates.
//
// Index 5, no state: the path gives x1 and x3; their second derivatives give the twist of the joint, 2 x3 - x2, and the
// difference of the torques; two derivatives more give the torques themselves. The structure alone promises index 3: in
// (a + b) times the first equation of motion plus a times the third the torques cancel. Closed form: x1 = 1 - e^t,
// x3 = e^t - t. At t = 1.545 the arm is folded, x3 = pi, and the hand is at the base: no torque turns it. The run ends
// before.
//
// Source: S. L. Campbell and E. Griepentrog, Solvability of general differential algebraic equations, SIAM J. Sci.
// Comput. 16 (1995) 257-270.
model RobotArm "A robot arm with an elastic joint whose hand follows a path"
  Real x1(start = 0), x2(start = 0), x3(start = 1), x4(start = -1), x5(start = 0), x6(start = 0);
  Real u1 "torque at the base", u2 "torque of the motor of the joint";
  Real a(start = 1.2), b(start = 0.3), c(start = 0.5), d(start = 0.3) "abbreviations, functions of x3";
equation
  a = 2/(2 - cos(x3)^2);
  b = cos(x3)/(2 - cos(x3)^2);
  c = sin(x3)/(2 - cos(x3)^2);
  d = sin(x3)*cos(x3)/(2 - cos(x3)^2);
  der(x1) = x4;
  der(x2) = x5;
  der(x3) = x6;
  der(x4) = 2*c*(x4 + x6)^2 + d*x4^2 + (2*x3 - x2)*(a + 2*b) + a*(u1 - u2);
  der(x5) = -2*c*(x4 + x6)^2 - d*x4^2 + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;
  der(x6) = -2*c*(x4 + x6)^2 - d*x4^2 + (2*x3 - x2)*(a - 9*b) - 2*c*x4^2 - d*(x4 + x6)^2 - (a + b)*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(1 - exp(time)) + cos(1 - time);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end RobotArm;
