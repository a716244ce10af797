// The tank must not run below its outlet.
model Tank
  parameter Real outlet = 0.25;
  Real h(start = 1, fixed = true);
equation
  der(h) = -sqrt(h);
  assert(h > outlet, "the level is below the outlet");
  annotation(experiment(StopTime = 2));
end Tank;
