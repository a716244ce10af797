model Thermostat "a heater with hysteresis"
  Real T(unit = "degC", start = 20, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = 10 - T + (if on then 15 else 0);
  on = T < 19 or pre(on) and T < 21;
  annotation(experiment(StopTime = 2));
end Thermostat;
