model HalfWaveRectifier "One ideal diode, a resistor as the load"
  import Driftless.Electrical.*;
  SineVoltage source(V = 10, f = 50);
  IdealDiode diode;
  Resistor load(R = 100);
  Ground ground;
equation
  connect(source.p, diode.p);
  connect(diode.n, load.p);
  connect(load.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.05));
end HalfWaveRectifier;
