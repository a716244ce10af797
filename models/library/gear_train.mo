model GearTrain "Three inertias joined rigidly by two gears: one degree of freedom, index 3"
  import Driftless.Rotational.*;
  Inertia motor(J = 0.1, phi(fixed = true), w(fixed = true)), shaft(J = 2), load(J = 5);
  IdealGear first(ratio = 3), second(ratio = 4);
  ConstantTorque torque(tau = 1);
equation
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, first.flange_a);
  connect(first.flange_b, shaft.flange_a);
  connect(shaft.flange_b, second.flange_a);
  connect(second.flange_b, load.flange_a);
  annotation(experiment(StopTime = 2));
end GearTrain;
