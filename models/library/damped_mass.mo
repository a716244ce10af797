model DampedMass "A mass on a spring and a damper after a step of force"
  import Driftless.Translational.*;
  Fixed wall;
  SpringDamper suspension(c = 50, d = 4);
  Mass mass(m = 2, s(fixed = true), v(fixed = true));
  ConstantForce force(f = 10);
equation
  connect(wall.flange, suspension.flange_a);
  connect(suspension.flange_b, mass.flange_a);
  connect(force.flange, mass.flange_b);
  annotation(experiment(StopTime = 4));
end DampedMass;
