// A circuit with a loop of capacitors (va = v1 + v2) and a node where only coils meet (i1 + i2 + i3 = 0): both hide
// constraints between states.
//
// Index 2, four states of six candidates. Linear with constant coefficients: the exact solution is a matrix
// exponential.
model LoopAndCutset "Three capacitors in a loop, three coils in a node"
  parameter Real C1 = 1, C2 = 2, C3 = 0.5, L1 = 1, L2 = 0.5, L3 = 2, R1 = 1, R2 = 0.5, R3 = 0.2;
  Real v1(start = 1, fixed = true), v2(start = 0.5, fixed = true), v3(start = 1.5);
  Real i1(start = 0, fixed = true), i2(start = 0.2, fixed = true), i3(start = -0.2);
  Real j1, j2, j3, vn;
equation
  C1*der(v1) = j1;
  C2*der(v2) = j2;
  C3*der(v3) = j3;
  v3 = v1 + v2;
  j1 + j3 + i1 + v1/R3 = 0;
  j2 + j3 + i2 = 0;
  L1*der(i1) = v1 + v2 - R1*i1 - vn;
  L2*der(i2) = v2 - R2*i2 - vn;
  L3*der(i3) = sin(time) - vn;
  i1 + i2 + i3 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end LoopAndCutset;
