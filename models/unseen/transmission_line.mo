// A lossy transmission line as a ladder of N sections (series R, L; shunt G, C), fed by a smooth pulse through its
// wave resistance and closed by a resistor that reflects a part of it.
//
// Index 1, 2 N states. Units: ns, V, mA, kOhm, uH, pF.
model TransmissionLine "Ladder of coils and capacitors"
  parameter Integer N = 15;
  parameter Real L = 0.0125, C = 5, R = 1e-4, G = 1e-5, Rs = 0.05, Rl = 0.1, T = 6, w = 1.5;
  Real u, v[N](each start = 0, each fixed = true), i[N](each start = 0, each fixed = true), io;
equation
  u = 5*exp(-((time - T)/w)^2);
  u = Rs*i[1] + L*der(i[1]) + v[1];
  for k in 2:N loop
    L*der(i[k]) = v[k - 1] - v[k] - R*i[k];
  end for;
  for k in 1:N - 1 loop
    C*der(v[k]) = i[k] - i[k + 1] - G*v[k];
  end for;
  C*der(v[N]) = i[N] - io - G*v[N];
  io = v[N]/Rl;
  annotation(experiment(StopTime = 20, Tolerance = 1e-6));
end TransmissionLine;
