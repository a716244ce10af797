// The same with one rod too long: which rods cannot go together is said.
// expects error: no values were found that satisfy
// expects error: without any one of them the others can hold
model FrameworkWithAWrongRod
  parameter Integer n = 5;
  parameter Real X[n] = {0, 1, 1.2, 0.3, -0.5}, Y[n] = {0, 0.1, 0.9, 1.4, 0.6};
  parameter Real w = 1.5, cx = sum(X)/n, cy = sum(Y)/n;
  Real x[n](start = X), y[n](start = Y);
  Real vx[n](start = {0.2 - w*(Y[k] - cy) for k in 1:n}), vy[n](start = {1 + w*(X[k] - cx) for k in 1:n});
  Real rod[n, n];
  Real wrong[4] = {sum(x)/n - cx - 0.2*time, sum(y)/n - cy - time + 4.905*time^2,
                   x[1] - sum(x)/n - (X[1] - cx)*cos(w*time) + (Y[1] - cy)*sin(w*time),
                   y[3] - sum(y)/n - (X[3] - cx)*sin(w*time) - (Y[3] - cy)*cos(w*time)};
equation
  for i in 1:n loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = sum(rod[i, j]*(x[j] - x[i]) for j in 1:n);
    der(vy[i]) = sum(rod[i, j]*(y[j] - y[i]) for j in 1:n) - 9.81;
    rod[i, i] = 0;
    for j in 1:i - 1 loop
      (x[i] - x[j])^2 + (y[i] - y[j])^2 = (X[i] - X[j])^2 + (Y[i] - Y[j])^2 + (if i == 5 and j == 4 then 0.01 else 0);
      rod[j, i] = rod[i, j];
    end for;
  end for;
end FrameworkWithAWrongRod;
