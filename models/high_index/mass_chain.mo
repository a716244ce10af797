// Five masses in a row, coupled by springs that harden. The last one shall move along a given path: which force on the
// first one does that take? Each spring must transmit what the masses behind it need, so each mass costs two derivatives.
//
// Index 2 N + 1 = 11, no state. With F[N] = 0: F[i - 1] = m x[i]'' + F[i], and s[i] solves k s + k3 s^3 = F[i].
//
// Source: own; the elastic joint of robot_arm.mo, five times.
model MassChain "Force on the first of five masses that moves the last along a path"
  parameter Integer N = 5 "number of masses";
  parameter Real m = 0.2, k = 10, k3 = 5;
  Real x[N](each start = 0) "positions", s[N - 1](each start = 0) "how far the springs are pressed";
  Real F(start = 0) "force on the first mass";
equation
  x[N] = sin(time) + 0.3*cos(2*time);
  for i in 1:N - 1 loop
    s[i] = x[i] - x[i + 1];
  end for;
  m*der(der(x[1])) = F - (k*s[1] + k3*s[1]^3);
  for i in 2:N - 1 loop
    m*der(der(x[i])) = k*s[i - 1] + k3*s[i - 1]^3 - (k*s[i] + k3*s[i]^3);
  end for;
  m*der(der(x[N])) = k*s[N - 1] + k3*s[N - 1]^3;
  annotation(experiment(StopTime = 4, Tolerance = 1e-6));
end MassChain;
