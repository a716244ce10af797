model RLCSeries "A charged capacitor discharges through a coil and a resistor: damped oscillation"
  import Driftless.Electrical.*;
  Capacitor capacitor(C = 0.01, v(start = 5, fixed = true));
  Inductor inductor(L = 1, i(start = 0, fixed = true));
  Resistor resistor(R = 4);
  Ground ground;
equation
  connect(capacitor.p, inductor.p);
  connect(inductor.n, resistor.p);
  connect(resistor.n, capacitor.n);
  connect(capacitor.n, ground.p);
  annotation(experiment(StopTime = 2));
end RLCSeries;
