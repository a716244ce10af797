model LCLine "A line of coils and capacitors, shorted at both ends: its first mode"
  import Driftless.Electrical.*;
  constant Real pi = 3.141592653589793;
  parameter Integer n = 9 "Capacitors";
  Inductor coil[n + 1](each L = 0.1, each i(fixed = true));
  Capacitor capacitor[n](each C = 0.001, v(start = {sin(k*pi/(n + 1)) for k in 1:n}, each fixed = true));
  Ground ground;
equation
  connect(coil[1].p, ground.p);
  connect(coil[n + 1].n, ground.p);
  for k in 1:n loop
    connect(coil[k].n, coil[k + 1].p);
    connect(coil[k].n, capacitor[k].p);
    connect(capacitor[k].n, ground.p);
  end for;
  annotation(experiment(StopTime = 0.5));
end LCLine;
