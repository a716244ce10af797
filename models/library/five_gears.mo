model FiveGears "Five gears in a row: one degree of freedom"
  import Driftless.Rotational.*;
  parameter Integer n = 5;
  ConstantTorque torque(tau = 2);
  Inertia first(J = 1, phi(fixed = true), w(fixed = true)), shaft[n](each J = 1);
  IdealGear gear[n](each ratio = 2);
equation
  connect(torque.flange, first.flange_a);
  connect(first.flange_b, gear[1].flange_a);
  for k in 1:n loop
    connect(gear[k].flange_b, shaft[k].flange_a);
  end for;
  for k in 1:n - 1 loop
    connect(shaft[k].flange_b, gear[k + 1].flange_a);
  end for;
  annotation(experiment(StopTime = 3));
end FiveGears;
