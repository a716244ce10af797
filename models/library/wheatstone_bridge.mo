model WheatstoneBridge "Four resistors and a galvanometer between them"
  import Driftless.Electrical.*;
  ConstantVoltage source(V = 10);
  Resistor r1(R = 100), r2(R = 200), r3(R = 300), r4(R = 500);
  Resistor meter(R = 1e3);
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(source.p, r3.p);
  connect(r1.n, r2.p);
  connect(r3.n, r4.p);
  connect(r2.n, source.n);
  connect(r4.n, source.n);
  connect(meter.p, r1.n);
  connect(meter.n, r3.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1));
end WheatstoneBridge;
