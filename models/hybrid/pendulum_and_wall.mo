model PendulumAndWall "a pendulum in Cartesian coordinates, of index 3, that hits a wall"
  parameter Real L(unit = "m") = 1, g(unit = "m/s2") = 9.81, e = 0.8 "restitution", wall(unit = "m") = -0.3;
  Real x(unit = "m", start = 0.8, fixed = true), y(unit = "m", start = -0.6);
  Real vx(unit = "m/s", start = 0, fixed = true), vy(unit = "m/s"), F(unit = "N/m");
  Integer hits(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
  when x < wall then
    reinit(vx, -e*vx);
    hits = pre(hits) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end PendulumAndWall;
