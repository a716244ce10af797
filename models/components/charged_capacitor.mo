// A capacitor that is charged through two resistors, built from parts. With T = (R1 + R2) C the voltage at the capacitor
// is U (1 - exp(-t/T)).
package Parts
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model TwoPin
    Pin p;
    Pin n;
    Real v(unit = "V") "voltage between the pins";
    Real i(unit = "A") "current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit = "F") = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model Source
    extends TwoPin(v = U);
    parameter Real U(unit = "V") = 1;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
end Parts;

model ChargedCapacitor
  parameter Real R[2] = {1, 3};
  Parts.Source source(U = 10);
  Parts.Resistor resistor[2](R = R);
  Parts.Capacitor capacitor(C = 0.5, v(start = 0, fixed = true));
  Parts.Ground ground;
equation
  connect(source.p, resistor[1].p);
  connect(resistor[1].n, resistor[2].p);
  connect(resistor[2].n, capacitor.p);
  connect(capacitor.n, source.n);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end ChargedCapacitor;
