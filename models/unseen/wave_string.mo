// A string by lines with a nonlinear tension (Kirchhoff's string: the tension grows with the mean square of the
// slope), fixed at one end; the other end is led by a ring along a prescribed movement, and the force that this takes
// is asked.
//
// Index 3 through the led end (one component), 2 (N - 1) states.
model WaveString "Nonlinear wave equation with a led end"
  parameter Integer N = 12;
  parameter Real L = 1, c2 = 1, b = 2, rho = 1, h = L/N;
  constant Real pi = 3.14159265358979323846;
  Real u[N](start = {0.1*sin(pi*i/N)*(1 - i/N) for i in 1:N}, fixed = {i < N for i in 1:N});
  Real v[N](each start = 0, fixed = {i < N for i in 1:N}), tension, F;
equation
  tension = c2 + b*h*(u[1]^2/h^2 + sum((u[i] - u[i - 1])^2/h^2 for i in 2:N));
  for i in 1:N loop
    der(u[i]) = v[i];
  end for;
  rho*der(v[1]) = tension*(u[2] - 2*u[1])/h^2;
  for i in 2:N - 1 loop
    rho*der(v[i]) = tension*(u[i + 1] - 2*u[i] + u[i - 1])/h^2;
  end for;
  rho*h/2*der(v[N]) = F - tension*(u[N] - u[N - 1])/h;
  u[N] = 0.05*time^3/(1 + time^2)*sin(3*time);
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end WaveString;
