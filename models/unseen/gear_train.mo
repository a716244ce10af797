// Four inertias: a motor, two gears without play (rigid ratios), and a load behind a shaft that twists. The torques
// in the meshes are the multipliers of the ratios.
//
// Index 3, four states of eight candidates.
model GearTrain "Rigid ratios and one flexible shaft"
  parameter Real J1 = 0.02, J2 = 0.05, J3 = 0.3, J4 = 2, n1 = 3, n2 = 2.5, k = 150, c = 0.8, d = 0.3;
  Real p1(start = 0, fixed = true), p2(start = 0), p3(start = 0), p4(start = 0, fixed = true);
  Real w1(start = 0, fixed = true), w2(start = 0), w3(start = 0), w4(start = 0, fixed = true);
  Real T, t12, t23, ts, load;
equation
  T = 4*(1 - exp(-5*time)) - 0.02*w1;
  load = d*w4 + 3*tanh(w4);
  der(p1) = w1;
  der(p2) = w2;
  der(p3) = w3;
  der(p4) = w4;
  J1*der(w1) = T - t12;
  J2*der(w2) = n1*t12 - t23;
  J3*der(w3) = n2*t23 - ts;
  J4*der(w4) = ts - load;
  p1 = n1*p2;
  p2 = n2*p3;
  ts = k*(p3 - p4) + c*(w3 - w4);
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end GearTrain;
