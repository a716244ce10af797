model DCMotor "A machine with a speed controller: circuit, shaft and signals"
  Driftless.Electrical.SignalVoltage source;
  Driftless.Electrical.Resistor resistor(R = 0.5);
  Driftless.Electrical.Inductor inductor(L = 0.01, i(fixed = true));
  Driftless.Electrical.EMF machine(k = 0.4);
  Driftless.Electrical.Ground ground;
  Driftless.Rotational.Inertia rotor(J = 0.02, phi(fixed = true), w(fixed = true)), load(J = 0.1);
  Driftless.Rotational.IdealGear gear(ratio = 5);
  Driftless.Rotational.SpeedSensor sensor;
  Driftless.Blocks.Step wanted(height = 20, startTime = 0.1);
  Driftless.Blocks.Feedback difference;
  Driftless.Blocks.PI controller(k = 1, T = 0.2);
equation
  connect(wanted.y, difference.u1);
  connect(sensor.w, difference.u2);
  connect(difference.y, controller.u);
  connect(controller.y, source.v);
  connect(source.p, resistor.p);
  connect(resistor.n, inductor.p);
  connect(inductor.n, machine.p);
  connect(machine.n, source.n);
  connect(source.n, ground.p);
  connect(machine.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, load.flange_a);
  connect(rotor.flange_b, sensor.flange);
  annotation(experiment(StopTime = 3));
end DCMotor;
