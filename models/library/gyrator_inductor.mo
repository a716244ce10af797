model GyratorInductor "A capacitor behind a gyrator acts as a coil"
  import Driftless.Electrical.*;
  SineVoltage source(V = 1, f = 1);
  Gyrator gyrator(G = 0.5);
  Capacitor capacitor(C = 2, v(fixed = true));
  Ground ground;
equation
  connect(source.p, gyrator.p1);
  connect(source.n, gyrator.n1);
  connect(gyrator.p2, capacitor.p);
  connect(gyrator.n2, capacitor.n);
  connect(source.n, ground.p);
  connect(gyrator.n2, ground.p);
  annotation(experiment(StopTime = 2));
end GyratorInductor;
