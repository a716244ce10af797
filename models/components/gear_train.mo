// Three inertias that rigid shafts and gears connect: index 3, two states. With the ratios r1 and r2 of the gears the motor
// sees the inertia J = J1 + J2/r1^2 + J3/(r1 r2)^2, so that a constant torque tau turns it by tau t^2/(2 J).
package Rotational
  connector Flange
    Real phi(unit = "rad");
    flow Real tau(unit = "N.m");
  end Flange;

  model Inertia
    Flange a;
    Flange b;
    parameter Real J(unit = "kg.m2") = 1;
    Real phi(unit = "rad");
    Real w(unit = "rad/s");
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Gear "a turns ratio times as fast as b"
    Flange a;
    Flange b;
    parameter Real ratio = 1;
  equation
    a.phi = ratio*b.phi;
    ratio*a.tau + b.tau = 0;
  end Gear;

  model Torque "acts against a support that does not turn"
    Flange b;
    parameter Real tau(unit = "N.m") = 1;
  equation
    b.tau = -tau;
  end Torque;
end Rotational;

model GearTrain
  Rotational.Torque motor(tau = 6);
  Rotational.Inertia inertia[3](J = {1, 4, 9});
  Rotational.Gear gear[2](ratio = {2, 1.5});
equation
  connect(motor.b, inertia[1].a);
  for k in 1:2 loop
    connect(inertia[k].b, gear[k].a);
    connect(gear[k].b, inertia[k + 1].a);
  end for;
initial equation
  inertia[3].phi = 0;
  inertia[3].w = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end GearTrain;
