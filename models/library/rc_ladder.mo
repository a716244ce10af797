model RCLadder "Ten resistors in a row, each followed by a capacitor to ground"
  import Driftless.Electrical.*;
  parameter Integer n = 10;
  StepVoltage source(V = 1);
  Resistor resistor[n](each R = 1);
  Capacitor capacitor[n](each C = 0.1, each v(fixed = true));
  Ground ground;
equation
  connect(source.p, resistor[1].p);
  connect(source.n, ground.p);
  for k in 1:n loop
    connect(resistor[k].n, capacitor[k].p);
    connect(capacitor[k].n, ground.p);
  end for;
  for k in 1:n - 1 loop
    connect(resistor[k].n, resistor[k + 1].p);
  end for;
  annotation(experiment(StopTime = 2));
end RCLadder;
