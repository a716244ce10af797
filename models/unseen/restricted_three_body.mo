// A satellite near earth and moon in the rotating frame, on the closed orbit of Arenstorf, here up to a third of it:
// close to the moon at the start, where the step size must be a thousandth of that later.
//
// Index 1 (distances as variables), four states. Source: R. F. Arenstorf, Amer. J. Math. 85 (1963) 27-35; values as
// in Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.0.
model RestrictedThreeBody "Satellite in the rotating frame of earth and moon"
  parameter Real mu = 0.012277471, nu = 1 - mu;
  Real x(start = 0.994, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), w(start = -2.00158510637908252240537862224, fixed = true), r1(start = 1),
    r2(start = 0.006);
equation
  r1^2 = (x + mu)^2 + y^2;
  r2^2 = (x - nu)^2 + y^2;
  der(x) = u;
  der(y) = w;
  der(u) = x + 2*w - nu*(x + mu)/r1^3 - mu*(x - nu)/r2^3;
  der(w) = y - 2*u - nu*y/r1^3 - mu*y/r2^3;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end RestrictedThreeBody;
