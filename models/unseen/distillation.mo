// A distillation column for a binary mixture of constant relative volatility: a boiler, six trays and a condenser,
// constant molar flows, the feed on a tray in the middle, its composition changing in time.
//
// Index 1, N states (x). Equilibrium y = alpha x/(1 + (alpha - 1) x), written as it is meant: y (1 - x) = alpha x (1
// - y).
model Distillation "Eight stages in equilibrium"
  parameter Integer N = 8, F = 4 "feed tray";
  parameter Real alpha = 2.5, L = 2.4, V = 2.9, feed = 1, M = 0.5, MB = 5, MD = 5;
  Real x[N](start = {0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8}, each fixed = true), y[N](each start = 0.6), z;
equation
  z = 0.5 + 0.1*sin(0.5*time);
  for i in 1:N - 1 loop
    y[i]*(1 - x[i]) = alpha*x[i]*(1 - y[i]);
  end for;
  y[N] = x[N];
  MB*der(x[1]) = (L + feed)*x[2] - V*y[1] - (L + feed - V)*x[1];
  for i in 2:N - 1 loop
    M*der(x[i]) = (if i < F then L + feed else L)*x[i + 1] + V*y[i - 1] - V*y[i]
      - (if i <= F then L + feed else L)*x[i] + (if i == F then feed*z else 0);
  end for;
  MD*der(x[N]) = V*(y[N - 1] - x[N]);
  annotation(experiment(StopTime = 20, Tolerance = 1e-6));
end Distillation;
