model LCCircuit "A capacitor and a coil without losses"
  import Driftless.Electrical.*;
  Capacitor capacitor(C = 0.25, v(start = 3, fixed = true));
  Inductor inductor(L = 1, i(start = 0, fixed = true));
  Ground ground;
equation
  connect(capacitor.p, inductor.p);
  connect(inductor.n, capacitor.n);
  connect(capacitor.n, ground.p);
  annotation(experiment(StopTime = 10));
end LCCircuit;
