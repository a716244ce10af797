// A mass on a spring that swings in space: the spring's length is a variable, its force acts along it. Bounce and
// swing exchange energy where their frequencies are two to one.
//
// Index 1, six states. Source: A. Vitt and G. Gorelik, Oscillations of an elastic pendulum, J. Tech. Phys. 3 (1933)
// 294-307.
model ElasticPendulum "Mass on a spring in space"
  parameter Real m = 1, k = 40, l0 = 0.75, g = 10;
  Real x(start = 0.1, fixed = true), y(start = 0, fixed = true), z(start = -1.1, fixed = true);
  Real u(start = 0, fixed = true), v(start = 0.05, fixed = true), w(start = 0, fixed = true), l(start = 1), F;
equation
  l^2 = x^2 + y^2 + z^2;
  F = k*(l - l0)/l;
  der(x) = u;
  der(y) = v;
  der(z) = w;
  m*der(u) = -F*x;
  m*der(v) = -F*y;
  m*der(w) = -F*z - m*g;
  annotation(experiment(StopTime = 20, Tolerance = 1e-6));
end ElasticPendulum;
