model PlanetaryGear "Sun, carrier and ring of a planetary gear, each with an inertia; the ring is held by a spring"
  import Driftless.Rotational.*;
  Inertia sun(J = 0.5, phi(fixed = true), w(fixed = true, start = 2)), carrier(J = 1, phi(fixed = true), w(fixed = true)),
          ring(J = 0.8);
  IdealPlanetary gear(ratio = 2);
  Spring spring(c = 4);
  Fixed housing;
equation
  connect(sun.flange_b, gear.sun);
  connect(gear.carrier, carrier.flange_a);
  connect(gear.ring, ring.flange_a);
  connect(ring.flange_b, spring.flange_a);
  connect(spring.flange_b, housing.flange);
  annotation(experiment(StopTime = 5));
end PlanetaryGear;
