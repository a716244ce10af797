model CoupledCoils "A step of voltage on one of two coils that share a part of their flux"
  import Driftless.Electrical.*;
  StepVoltage source(V = 1);
  Resistor first(R = 1), second(R = 3);
  Transformer coils(L1 = 2, L2 = 1, M = 1, i1(fixed = true), i2(fixed = true));
  Ground ground;
equation
  connect(source.p, first.p);
  connect(first.n, coils.p1);
  connect(coils.n1, source.n);
  connect(coils.p2, second.p);
  connect(second.n, coils.n2);
  connect(source.n, ground.p);
  connect(coils.n2, ground.p);
  annotation(experiment(StopTime = 3));
end CoupledCoils;
