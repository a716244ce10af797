// Balls in a box with two walls and a floor, none of which takes energy from them. They do not see each other, so each
// has a closed form: a triangle wave in x, equal parabolas in y.
model BallsInBox "many bodies with events of their own"
  parameter Integer N = 100;
  parameter Real g(unit = "m/s2") = 9.81, width(unit = "m") = 1;
  Real x[N](each unit = "m"), y[N](each unit = "m"), vx[N](each unit = "m/s"), vy[N](each unit = "m/s");
initial equation
  for k in 1:N loop
    x[k] = width*k/(N + 1);
    y[k] = 0.2 + 0.8*k/N;
    vx[k] = 0.3 + 0.7*k/N;
    vy[k] = 0;
  end for;
equation
  for k in 1:N loop
    der(x[k]) = vx[k];
    der(y[k]) = vy[k];
    der(vx[k]) = 0;
    der(vy[k]) = -g;
    when {x[k] < 0, x[k] > width} then
      reinit(vx[k], -pre(vx[k]));
    end when;
    when y[k] < 0 then
      reinit(vy[k], -pre(vy[k]));
    end when;
  end for;
  annotation(experiment(StopTime = 10, NumberOfIntervals = 1));
end BallsInBox;
