// Four linear equations in which three algebraic ones constrain variables that the fourth contains differentiated once
// or twice: the example on which the dummy derivatives were explained. The forcing is u1 = sin t, u2 = cos t,
// u3 = sin 2t, u4 = cos 2t; then x2'' = x2' + sin t + 2 cos t - cos 2t.
//
// Index 2, two states (x2 and its rate are given). The equations must be differentiated 2, 2, 1 and 0 times. The free
// motion grows like exp(t), so errors do too.
//
// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, Example 1.
model MsExample1 "Four linear equations of Mattsson and Soderlind"
  Real x1(start = -1), x2(start = 1, fixed = true), x3(start = -1), x4(start = 1);
initial equation
  der(x2) = 0;
equation
  x1 + x2 + sin(time) = 0;
  x1 + x2 + x3 + cos(time) = 0;
  x1 + x4 + sin(2*time) = 0;
  2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + cos(2*time) = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end MsExample1;
