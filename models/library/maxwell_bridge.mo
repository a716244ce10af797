model MaxwellBridge "A coil is measured against a capacitor: in balance no voltage is left between the arms, at any frequency"
  import Driftless.Electrical.*;
  parameter Real R = 50 "Of the coil", R2 = 100, R3 = 200;
  SineVoltage source(V = 10, f = 60);
  Inductor coil(L = R2*R3*1e-5, i(fixed = true));
  Resistor wire(R = R), second(R = R2), third(R = R3), leak(R = R2*R3/R), meter(R = 1000);
  Capacitor capacitor(C = 1e-5, v(fixed = true));
  Ground ground;
equation
  connect(source.p, wire.p);
  connect(wire.n, coil.p);
  connect(coil.n, second.p);
  connect(source.p, third.p);
  connect(third.n, leak.p);
  connect(third.n, capacitor.p);
  connect(second.n, source.n);
  connect(leak.n, source.n);
  connect(capacitor.n, source.n);
  connect(coil.n, meter.p);
  connect(third.n, meter.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.1));
end MaxwellBridge;
