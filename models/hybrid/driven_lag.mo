// A first-order lag behind an input, T x' = u - x: what u does, x follows with the time constant T. Without values for u
// it is the step response x = 1 - exp(-t/T). models/hybrid/driven_lag.csv ramps u up, lets it jump and holds it.
model DrivenLag "a filter behind an input"
  parameter Real T(unit = "s") = 0.5 "time constant";
  input Real u(start = 1) "what is filtered";
  Real x(start = 0, fixed = true) "filtered";
equation
  T*der(x) = u - x;
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end DrivenLag;
