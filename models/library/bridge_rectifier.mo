model BridgeRectifier "Four ideal diodes, a resistor as the load"
  import Driftless.Electrical.*;
  SineVoltage source(V = 10, f = 50);
  IdealDiode d1, d2, d3, d4;
  Resistor load(R = 100);
  Ground ground;
equation
  connect(source.p, d1.p);
  connect(source.p, d2.n);
  connect(source.n, d3.p);
  connect(source.n, d4.n);
  connect(d1.n, d3.n);
  connect(d2.p, d4.p);
  connect(load.p, d1.n);
  connect(load.n, d2.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.04));
end BridgeRectifier;
