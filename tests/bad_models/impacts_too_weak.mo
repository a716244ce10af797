model Ball "a ball that reinit no longer leads away from the floor, which no relation between two expressions describes"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when floor(h) < 0 then
    reinit(v, -0.6*v);
  end when;
  annotation(experiment(StopTime = 4));
end Ball;
