model TwoBalls "the second ball that comes to rest"
  Real h[2](start = {1, 0.7}, each fixed = true), v[2](each start = 0, each fixed = true);
equation
  for k in 1:2 loop
    der(h[k]) = v[k];
    der(v[k]) = -9.81;
    when h[k] < 0 then
      reinit(v[k], -0.6*v[k]);
    end when;
  end for;
  annotation(experiment(StopTime = 4));
end TwoBalls;
