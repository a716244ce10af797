model ParallelCapacitors "Two capacitors across one source, a third one behind a resistor: the loop of capacitors has index 2"
  import Driftless.Electrical.*;
  SineVoltage source(V = 10, f = 50);
  Capacitor first(C = 1e-6), second(C = 2e-6), third(C = 1e-6, v(fixed = true));
  Resistor resistor(R = 1000);
  Ground ground;
equation
  connect(source.p, first.p);
  connect(first.n, source.n);
  connect(source.p, second.p);
  connect(second.n, source.n);
  connect(source.p, resistor.p);
  connect(resistor.n, third.p);
  connect(third.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.05));
end ParallelCapacitors;
