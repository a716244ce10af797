// The ring modulator of models/unseen/ring_modulator.mo without stray capacitances (Cs = 0): the four diodes and the
// leakage inductances meet in nodes without capacitance.
//
// Index 2, though the structure says 1: the sum of the four nodal equations says I3 + I4 + I5 + I6 = 0 of the currents of
// inductors.
//
// Source: E.-H. Horneber (1976); Test Set for IVP Solvers (Mazzia and Magherini 2008), problem "Ring Modulator".
model RingModulatorDae "Four diodes, two transformers, no stray capacitance"
  parameter Real C = 1.6e-8, Cp = 1e-8, R = 25e3, Rp = 50, Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Ls3 = 5e-4;
  parameter Real Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50, Rc = 600, gamma = 40.67286402e-9, delta = 17.7493332;
  constant Real pi = 3.14159265358979323846;
  Real U1, U2, U3, U4, U5, U6, U7;
  Real I1, I2, I3, I4, I5, I6, I7, I8;
  Real Uin1, Uin2, q1, q2, q3, q4;
equation
  Uin1 = 0.5*sin(2000*pi*time);
  Uin2 = 2*sin(20000*pi*time);
  q1 = gamma*(exp(delta*(U3 - U5 - U7 - Uin2)) - 1);
  q2 = gamma*(exp(delta*(-U4 + U6 - U7 - Uin2)) - 1);
  q3 = gamma*(exp(delta*(U4 + U5 + U7 + Uin2)) - 1);
  q4 = gamma*(exp(delta*(-U3 - U6 + U7 + Uin2)) - 1);
  C*der(U1) = I1 - 0.5*I3 + 0.5*I4 + I7 - U1/R;
  C*der(U2) = I2 - 0.5*I5 + 0.5*I6 + I8 - U2/R;
  0 = I3 - q1 + q4;
  0 = -I4 + q2 - q3;
  0 = I5 + q1 - q3;
  0 = -I6 - q2 + q4;
  Cp*der(U7) = -U7/Rp + q1 + q2 - q3 - q4;
  Lh*der(I1) = -U1;
  Lh*der(I2) = -U2;
  Ls2*der(I3) = 0.5*U1 - U3 - Rg2*I3;
  Ls3*der(I4) = -0.5*U1 + U4 - Rg3*I4;
  Ls2*der(I5) = 0.5*U2 - U5 - Rg2*I5;
  Ls3*der(I6) = -0.5*U2 + U6 - Rg3*I6;
  Ls1*der(I7) = -U1 + Uin1 - (Ri + Rg1)*I7;
  Ls1*der(I8) = -U2 - (Rc + Rg1)*I8;
  annotation(experiment(StopTime = 2e-4, Tolerance = 1e-6));
end RingModulatorDae;
