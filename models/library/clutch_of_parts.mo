model ClutchOfParts "Two rotors that a clutch joins at t = 1: the momentum is kept, the index rises"
  import Driftless.Rotational.*;
  Inertia left(J = 2, phi(fixed = true), w(start = 3, fixed = true)), right(J = 1, phi(fixed = true), w(fixed = true));
  Clutch clutch;
  Driftless.Blocks.BooleanStep close(startTime = 1);
equation
  connect(left.flange_b, clutch.flange_a);
  connect(clutch.flange_b, right.flange_a);
  connect(close.y, clutch.locked);
  annotation(experiment(StopTime = 2));
end ClutchOfParts;
