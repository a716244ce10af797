model TunedTransformer "Two tuned circuits, coupled by a transformer, hand their energy to each other and back"
  import Driftless.Electrical.*;
  Transformer coils(L1 = 1, L2 = 1, M = 0.1);
  Capacitor left(C = 0.01, v(start = 1, fixed = true)), right(C = 0.01, v(fixed = true));
  Ground ground;
equation
  connect(left.p, coils.p1);
  connect(left.n, coils.n1);
  connect(right.p, coils.p2);
  connect(right.n, coils.n2);
  connect(coils.n1, ground.p);
  connect(coils.n2, ground.p);
  annotation(experiment(StopTime = 10));
end TunedTransformer;
