model Winch "A constant torque lifts a mass by a drum: rack and pinion as rope and drum"
  import Driftless.Rotational.*;
  ConstantTorque torque(tau = 30);
  Inertia drum(J = 0.5, phi(fixed = true), w(fixed = true));
  IdealGearR2T rope(ratio = 5);
  Driftless.Translational.Mass mass(m = 10);
  Driftless.Translational.ConstantForce weight(f = -98.1);
equation
  connect(torque.flange, drum.flange_a);
  connect(drum.flange_b, rope.flangeR);
  connect(rope.flangeT, mass.flange_a);
  connect(weight.flange, mass.flange_b);
  annotation(experiment(StopTime = 2));
end Winch;
