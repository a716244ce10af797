// Transistor amplifier: a 100 Hz signal of 0.1 V passes two transistors. Unknown are the eight node potentials;
// the capacitors C1, C3 and C5 couple the nodes 1-2, 4-5 and 7-8, the others go to ground.
//
// Index 1, five states (the capacitor voltages y1 - y2, y3, y4 - y5, y6, y7 - y8), stiff. The structure lies: every
// potential occurs differentiated and can be matched, as if there were eight states, but the equations of the node
// pairs (1,2), (4,5) and (7,8) add up to algebraic ones.
//
// Source: Test Set for IVP Solvers, release 2.4 (Mazzia and Magherini 2008), problem "Transistor amplifier".
model TransistorAmplifier "Two-stage transistor amplifier, node potentials"
  constant Real pi = 3.14159265358979323846;
  parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6;
  parameter Real R0 = 1000, R = 9000;
  parameter Real C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6;
  Real y1(start = 0), y2(start = 3, fixed = true), y3(start = 3, fixed = true);
  Real y4(start = 6), y5(start = 3, fixed = true), y6(start = 3, fixed = true);
  Real y7(start = 6), y8(start = 0, fixed = true);
  Real Ue, g1, g2;
equation
  Ue = 0.1*sin(200*pi*time);
  g1 = beta*(exp((y2 - y3)/UF) - 1);
  g2 = beta*(exp((y5 - y6)/UF) - 1);
  C1*(der(y2) - der(y1)) = (y1 - Ue)/R0;
  C1*(der(y1) - der(y2)) = (y2 - Ub)/R + y2/R + (1 - alpha)*g1;
  -C2*der(y3) = y3/R - g1;
  C3*(der(y5) - der(y4)) = (y4 - Ub)/R + alpha*g1;
  C3*(der(y4) - der(y5)) = (y5 - Ub)/R + y5/R + (1 - alpha)*g2;
  -C4*der(y6) = y6/R - g2;
  C5*(der(y8) - der(y7)) = (y7 - Ub)/R + alpha*g2;
  C5*(der(y7) - der(y8)) = y8/R;
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end TransistorAmplifier;
