model VibrationAbsorber "A small mass on a spring, tuned to the force that shakes the large one, keeps it at rest"
  import Driftless.Translational.*;
  constant Real pi = 3.141592653589793;
  parameter Real f = 2 "Frequency of the force", m = 0.5 "Absorber";
  Fixed ground;
  Spring foundation(c = 4000), tuned(c = m*(2*pi*f)^2);
  Mass machine(m = 10, s(fixed = true), v(fixed = true)), absorber(m = m, s(fixed = true), v(start = -20/(2*pi*f*m), fixed = true));
  Force shaker;
  Driftless.Blocks.Sine force(amplitude = 20, f = f);
equation
  connect(ground.flange, foundation.flange_a);
  connect(foundation.flange_b, machine.flange_a);
  connect(machine.flange_b, tuned.flange_a);
  connect(tuned.flange_b, absorber.flange_a);
  connect(force.y, shaker.f);
  connect(shaker.flange, machine.flange_a);
  annotation(experiment(StopTime = 3));
end VibrationAbsorber;
