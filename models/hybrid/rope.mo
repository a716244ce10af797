model Rope "a mass on a rope: free flight while it is slack, a pendulum of index 3 while it is taut"
  parameter Real L(unit = "m") = 1 "length", g(unit = "m/s2") = 9.81, m(unit = "kg") = 1;
  Real x(unit = "m", start = 0.6, fixed = true), y(unit = "m", start = 0.4, fixed = true);
  Real vx(unit = "m/s", start = 0, fixed = true), vy(unit = "m/s", start = 0, fixed = true);
  Real F(unit = "N/m") "force of the rope, for each unit of its length";
  Boolean taut(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  taut = if pre(taut) then F >= 0 else x^2 + y^2 >= L^2;
  if taut then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
  annotation(experiment(StopTime = 3));
end Rope;
