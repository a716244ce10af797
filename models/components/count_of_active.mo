model CountOfActive "An Integer counts by a sum of Real numbers; the mode that comes back has seen the same sum before"
  Boolean active(start = false, fixed = true);
  Real sum "Minus the number of what is active";
  Integer number = -integer(sum);
  Real x(start = 1, fixed = true);
equation
  when {time >= 1, time >= 2} then
    active = not pre(active);
  end when;
  sum + (if active then 1.0 else 0.0) = 0;
  if active then
    x = 2;
  else
    der(x) = 0;
  end if;
  annotation(experiment(StopTime = 3));
end CountOfActive;
