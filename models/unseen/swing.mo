// Three generators and a load in a network: swing equations of the rotors, load flow of the four nodes with a
// constant power taken from the load node; a short circuit there is a conductance that comes and goes smoothly.
//
// Index 1, six states. Node voltages e + j f are complex: 8 algebraic unknowns, of which those of the load node are
// quadratic in the power. Own data, in the usual units (p.u., rad/s).
model Swing "Swing equations with algebraic load flow"
  parameter Integer n = 3;
  parameter Real H[3] = {5, 4, 3}, D[3] = {0.02, 0.015, 0.01}, P[3] = {0.6, 0.5, 0.4}, E[3] = {1.1, 1.08, 1.05};
  parameter Real X[3] = {0.2, 0.25, 0.3} "from inside of a generator to the load node", PL = 1.5, QL = 0.3,
    w0 = 314.159265358979;
  Real delta[n](start = {0.15, 0.15, 0.15}, each fixed = true), omega[n](each start = 0, each fixed = true);
  Real Pe[n], e(start = 1), f(start = 0), ir(start = 1.5), ii(start = -0.3), G;
equation
  G = 3*exp(-((time - 0.3)/0.06)^4);
  for k in 1:n loop
    der(delta[k]) = omega[k];
    2*H[k]/w0*der(omega[k]) = P[k] - Pe[k] - D[k]*omega[k];
    Pe[k] = E[k]/X[k]*(e*sin(delta[k]) - f*cos(delta[k]));
  end for;
  ir = sum((E[k]*sin(delta[k]) - f)/X[k] for k in 1:n) - G*e;
  ii = -sum((E[k]*cos(delta[k]) - e)/X[k] for k in 1:n) - G*f;
  e*ir + f*ii = PL;
  f*ir - e*ii = QL;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end Swing;
