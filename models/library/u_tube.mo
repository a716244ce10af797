model UTube "A column of water swings between two tanks"
  import Driftless.Hydraulic.*;
  Tank left(A = 0.01, h_start = 1.2), right(A = 0.01, h_start = 0.8);
  Inertance column(I = 2e5, q(fixed = true));
equation
  connect(left.port, column.port_a);
  connect(column.port_b, right.port);
  annotation(experiment(StopTime = 10));
end UTube;
