model OpAmpIntegrator "An ideal amplifier with a capacitor in its feedback"
  import Driftless.Electrical.*;
  SineVoltage source(V = 1, f = 0.5);
  Resistor resistor(R = 2);
  Capacitor capacitor(C = 0.25, v(fixed = true));
  IdealOpAmp amplifier;
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, resistor.p);
  connect(resistor.n, amplifier.in_n);
  connect(amplifier.in_p, ground.p);
  connect(capacitor.p, amplifier.in_n);
  connect(capacitor.n, amplifier.out);
  annotation(experiment(StopTime = 3));
end OpAmpIntegrator;
