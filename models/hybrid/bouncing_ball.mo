model BouncingBall "infinitely many bounces in finite time, then rest"
  parameter Real e = 0.8 "coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.81;
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    bounces = pre(bounces) + 1;
    reinit(v, -e*v);
  end when;
  annotation(experiment(StopTime = 6));
end BouncingBall;
