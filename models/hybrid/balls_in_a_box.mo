model BallsInABox "n balls that fly to and fro between the walls of a box, each on its own"
  parameter Integer n = 100;
  Real x[n](each unit = "m", start = {0.5 + 0.49*sin(7*k) for k in 1:n}, each fixed = true);
  Real y[n](each unit = "m", start = {0.5 + 0.49*sin(11*k) for k in 1:n}, each fixed = true);
  Real vx[n](each unit = "m/s", start = {1.3*sin(3*k) for k in 1:n}, each fixed = true);
  Real vy[n](each unit = "m/s", start = {1.3*cos(5*k) for k in 1:n}, each fixed = true);
  Integer bounces[n](each start = 0, each fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = zeros(n);
  der(vy) = zeros(n);
  for k in 1:n loop
    when {x[k] < 0, x[k] > 1} then
      reinit(vx[k], -vx[k]);
    end when;
    when {y[k] < 0, y[k] > 1} then
      reinit(vy[k], -vy[k]);
    end when;
    when {x[k] < 0, x[k] > 1, y[k] < 0, y[k] > 1} then
      bounces[k] = pre(bounces[k]) + 1;
    end when;
  end for;
  annotation(experiment(StopTime = 2));
end BallsInABox;
