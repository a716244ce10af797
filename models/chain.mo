// A chain of N point masses on N rigid massless rods, hanging on a pivot at the origin, x to the right and y upwards.
// It is released at rest, stretched out to the right along the horizontal, and falls like a whip. N is free:
// `--override N=100` gives the chain of the benchmarks.
//
// Index 3, N degrees of freedom (2 N states: the heights y and their rates are given; x(start) says to which side).
// For N = 10 errors hardly grow until t = 6; then the motion is chaotic, and until t = 10 they grow 100,000-fold.
//
// Source: classical (the N-pendulum).
model Chain "A chain of N point masses on rigid rods"
  parameter Integer N = 10 "number of masses";
  parameter Real m(unit = "kg") = 1 "each mass", L(unit = "m") = 1 "each rod", g(unit = "m/s2") = 9.81 "gravity";
  Real x[N](each unit = "m", start = {i*L for i in 1:N}) "positions, to the right";
  Real y[N](each unit = "m", each start = 0, each fixed = true) "positions, upwards";
  Real dx[N](each unit = "m", each start = L) "rod i, from mass i - 1 to mass i";
  Real dy[N](each unit = "m", each start = 0) "rod i, from mass i - 1 to mass i";
  Real lambda[N](each unit = "N/m", each start = 0) "forces in the rods, per length";
initial equation
  for i in 1:N loop
    der(y[i]) = 0;
  end for;
equation
  dx[1] = x[1];
  dy[1] = y[1];
  for i in 2:N loop
    dx[i] = x[i] - x[i - 1];
    dy[i] = y[i] - y[i - 1];
  end for;
  for i in 1:N - 1 loop
    m*der(der(x[i])) = -lambda[i]*dx[i] + lambda[i + 1]*dx[i + 1];
    m*der(der(y[i])) = -lambda[i]*dy[i] + lambda[i + 1]*dy[i + 1] - m*g;
  end for;
  m*der(der(x[N])) = -lambda[N]*dx[N];
  m*der(der(y[N])) = -lambda[N]*dy[N] - m*g;
  for i in 1:N loop
    dx[i]^2 + dy[i]^2 = L^2;
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6),
             __Driftless(invariants(energy = sum(m*(der(x[i])^2 + der(y[i])^2)/2 + m*g*y[i] for i in 1:N))));
end Chain;
