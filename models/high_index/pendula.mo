// P pendula in cascade: the rod force of each lengthens the rod of the next, |r[i]| = L + c lambda[i - 1]. These are the
// pendula of two_pendula.mo, three_pendula.mo and four_pendula.mo, as many as are wanted; x to the right, y downwards.
//
// Index 2 P + 1 = 15, 2 P = 14 states: the first length is differentiated 14 times.
//
// Source: as two_pendula.mo (Nedialkov and Pryce 2005); initial data: everything at rest.
model Pendula "Pendula in cascade: each rod force sets the length of the next rod"
  parameter Integer P = 7 "number of pendula";
  parameter Real G = 9.8, L = 1, c = 0.1;
  parameter Real x0 = 0.05 "by how much they are pulled aside at the start, in turn to the left and to the right";
  Real x[P](start = {x0*(-1)^i for i in 1:P}, each fixed = true), y[P](each start = 1.6) "positions";
  Real lambda[P](each start = 6) "rod forces, per length";
initial equation
  der(x) = zeros(P);
equation
  for i in 1:P loop
    der(der(x[i])) + lambda[i]*x[i] = 0;
    der(der(y[i])) + lambda[i]*y[i] - G = 0;
  end for;
  x[1]^2 + y[1]^2 = L^2;
  for i in 2:P loop
    x[i]^2 + y[i]^2 = (L + c*lambda[i - 1])^2;
  end for;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Pendula;
