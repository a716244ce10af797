// Wien bridge oscillator: an amplifier that saturates, vo = Vs tanh(A (vp - vm)), with the series and the parallel RC
// network from its output to vp and a divider from its output to vm.
//
// Index 1, two states (vc1, vc2). vm depends on vo and vo on vm: a scalar nonlinear loop with a large gain.
model WienOscillator "RC oscillator with an operational amplifier"
  parameter Real R = 1e4, C = 1e-7, R1 = 1e3, R2 = 2.2e3, A = 1000, Vs = 12;
  Real vc1(start = 0, fixed = true), vc2(start = 0.1, fixed = true), vo(start = 0.3), vp, vm, i(nominal = 1e-3);
equation
  vo = Vs*tanh(A*(vp - vm)/Vs);
  vm = vo*R1/(R1 + R2);
  vp = vc2;
  vo = R*i + vc1 + vc2;
  C*der(vc1) = i;
  C*der(vc2) = i - vc2/R;
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-6));
end WienOscillator;
