// models/pendulum.mo once more: statements are executed in their order, and what they compute is differentiated like
// any equation. The constraint is the value of a loop. Index 3.
model PendulumByAlgorithm "a pendulum whose constraint and energy are computed by statements"
  parameter Real m = 1, g = 1, L = 1;
  Real r[2](start = {1, 0}), F(start = 1) "force in the rod, per length";
  Real distance "squared, from the pivot", energy;
initial equation
  r[2] = 0;
  der(r[2]) = -1;
equation
  m*der(der(r)) = -F*r - {0, m*g};
  distance = L^2;
algorithm
  distance := 0;
  for i in 1:2 loop
    distance := distance + r[i]^2;
  end for;
  energy := m*g*r[2];
  for i in 1:2 loop
    energy := energy + m*der(r[i])^2/2;
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end PendulumByAlgorithm;
