// A pendulum is swung up from rest to rest in a given time by a torque u, with the least integral of u^2/2. The
// necessary conditions are written out with the costates p of the angle and q of the angular velocity.
model PendulumSwingUp "Necessary conditions of the swing-up of a pendulum with least effort"
  constant Real pi = 3.141592653589793;
  parameter Real g = 1 "gravity over length";
  Real phi(start = 0, fixed = true) "angle from the lowest point";
  Real w(start = 0, fixed = true) "angular velocity";
  Real p, q "costates";
  Real u "torque";
equation
  der(phi) = w;
  der(w) = -g*sin(phi) + u;
  der(p) = q*g*cos(phi);
  der(q) = -p;
  0 = u + q;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
             __Driftless(finalEquations = {phi == pi, w == 0}, guess(phi = pi*time/5, w = pi/5),
                         invariants(hamiltonian = u^2/2 + p*w + q*(-g*sin(phi) + u))));
end PendulumSwingUp;
