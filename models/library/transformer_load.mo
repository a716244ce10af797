model TransformerLoad "A resistor seen through an ideal transformer"
  import Driftless.Electrical.*;
  SineVoltage source(V = 230, f = 50);
  Resistor line(R = 10);
  IdealTransformer transformer(ratio = 5);
  Resistor load(R = 2);
  Ground ground;
equation
  connect(source.p, line.p);
  connect(line.n, transformer.p1);
  connect(transformer.n1, source.n);
  connect(transformer.p2, load.p);
  connect(load.n, transformer.n2);
  connect(source.n, ground.p);
  connect(transformer.n2, ground.p);
  annotation(experiment(StopTime = 0.04));
end TransformerLoad;
