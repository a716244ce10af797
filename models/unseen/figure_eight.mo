// Three bodies of equal mass that follow one another along a figure eight.
//
// Index 1 (attractions as variables), 12 states. Source: A. Chenciner and R. Montgomery, A remarkable periodic
// solution of the three-body problem in the case of equal masses, Annals of Mathematics 152 (2000) 881-901, with the
// initial values by C. Simo given there.
model FigureEight "Three bodies on one curve"
  parameter Real x0 = 0.97000436, y0 = -0.24308753, u0 = 0.93240737, w0 = 0.86473146;
  Real x[3](start = {x0, -x0, 0}, each fixed = true), y[3](start = {y0, -y0, 0}, each fixed = true);
  Real u[3](start = {u0/2, u0/2, -u0}, each fixed = true), w[3](start = {w0/2, w0/2, -w0}, each fixed = true);
  Real a12, a23, a31;
equation
  a12 = 1/((x[1] - x[2])^2 + (y[1] - y[2])^2)^1.5;
  a23 = 1/((x[2] - x[3])^2 + (y[2] - y[3])^2)^1.5;
  a31 = 1/((x[3] - x[1])^2 + (y[3] - y[1])^2)^1.5;
  der(x) = u;
  der(y) = w;
  der(u[1]) = a12*(x[2] - x[1]) + a31*(x[3] - x[1]);
  der(u[2]) = a23*(x[3] - x[2]) + a12*(x[1] - x[2]);
  der(u[3]) = a31*(x[1] - x[3]) + a23*(x[2] - x[3]);
  der(w[1]) = a12*(y[2] - y[1]) + a31*(y[3] - y[1]);
  der(w[2]) = a23*(y[3] - y[2]) + a12*(y[1] - y[2]);
  der(w[3]) = a31*(y[1] - y[3]) + a23*(y[2] - y[3]);
  annotation(experiment(StopTime = 6.32591398, Tolerance = 1e-8));
end FigureEight;
