model TorsionalPair "Two inertias on an elastic shaft, one of them moving at first"
  import Driftless.Rotational.*;
  Inertia motor(J = 2, phi(fixed = true), w(start = 3, fixed = true)), load(J = 1, phi(fixed = true), w(fixed = true));
  Spring shaft(c = 24);
equation
  connect(motor.flange_b, shaft.flange_a);
  connect(shaft.flange_b, load.flange_a);
  annotation(experiment(StopTime = 2));
end TorsionalPair;
