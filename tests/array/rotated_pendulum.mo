// The pendulum with its equations mixed by two rotations that depend on time: each of the three contains accelerations, the
// force and the constraint. Structure sees three differential equations of the second order.
model RotatedPendulum
  Real x(start = 1), y(start = 0, fixed = true), lambda(start = 1);
initial equation
  der(y) = -1;
equation
  cos(0.3*time)*(der(der(x)) + lambda*x) + sin(0.3*time)*(x^2 + y^2 - 1) = 0;
  cos(0.5*time + 0.2)*(-sin(0.3*time)*(der(der(x)) + lambda*x) + cos(0.3*time)*(x^2 + y^2 - 1))
    + sin(0.5*time + 0.2)*(der(der(y)) + lambda*y + 1) = 0;
  -sin(0.5*time + 0.2)*(-sin(0.3*time)*(der(der(x)) + lambda*x) + cos(0.3*time)*(x^2 + y^2 - 1))
    + cos(0.5*time + 0.2)*(der(der(y)) + lambda*y + 1) = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end RotatedPendulum;
