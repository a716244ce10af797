model TwinT "Two T-shaped branches in parallel let everything pass but one frequency"
  import Driftless.Electrical.*;
  parameter Real R = 1000, C = 1e-6;
  constant Real pi = 3.141592653589793;
  SineVoltage source(V = 1, f = 1/(2*pi*R*C));
  Resistor first(R = R), second(R = R), foot(R = R/2), load(R = 1e7);
  Capacitor third(C = C, v(fixed = true)), fourth(C = C, v(fixed = true)), base(C = 2*C, v(fixed = true));
  Ground ground;
equation
  connect(source.p, first.p);
  connect(first.n, base.p);
  connect(first.n, second.p);
  connect(source.p, third.p);
  connect(third.n, foot.p);
  connect(third.n, fourth.p);
  connect(second.n, fourth.n);
  connect(second.n, load.p);
  connect(base.n, ground.p);
  connect(foot.n, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.1));
end TwinT;
